/** The help. */
export const USAGE = `atrium: talk to the front hall of an agent team

  atrium up [--detach] [server flags]      start a server; see atrium up --help
  atrium status                            where it is and what goes on
  atrium chat [message…]                   say something, or talk back and forth
  atrium build PROMPT…                     have something built, step by step
  atrium build --follow ID                 look at a build again
  atrium sessions [list]                   the conversations
  atrium sessions show KEY                 what was said in one
  atrium sessions rename KEY LABEL         call it something
  atrium sessions reset KEY                begin it afresh
  atrium sessions delete KEY
  atrium signals tail                      what happens, as it happens
  atrium signals pipe --from NAME          tell a stream on stdin: openai, anthropic, openclaw, signals
  atrium signals hook                      tell a hook of Claude Code; never stands in its way
  atrium doctor                            what works, and what to do about what does not

  --agent NAME     chat, build: with this agent   --json      status, sessions, build, doctor: for programs
  --session KEY    chat: in this conversation     --limit N   sessions: no more than this
  --type, --agent, --source, --correlation      signals tail: only these; pipe: --agent and --source name the producer
  --after POSITION, --limit N, --json           signals tail: from there, so many, for programs

The server is found by
  --url ADDRESS    (ATRIUM_URL)      else by the home folder it runs on:
  --home FOLDER    (ATRIUM_HOME, else home in atrium.config.json, else ~/.atrium)
  --token TEXT     (ATRIUM_TOKEN, else token in atrium.config.json, else the home's)
  --config FILE    (ATRIUM_CONFIG, else ./atrium.config.json, else the home's)

Exit codes: 0 done, 1 it failed or something is broken, 2 asked wrongly, 130 interrupted.
`;
