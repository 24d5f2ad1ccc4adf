/** The real Claude Code, started by hand in a terminal: takes a task and hands it over, and is woken by a message. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { runCli } from "../../kit/cli-process.ts";
import { startServer } from "../../kit/server-process.ts";
import { makeBusyRepository, writeSettings } from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";
import { openClaudeJoinedStage } from "../kit/claude-joined-stage.ts";
import { USAGE, type Asked } from "../kit/claude-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";

const claude = findClaudeCode();
const skip = claude.skip || skipWithout("git") || skipWithout("curl");
const TOOLS = "mcp__plugin_atrium_atrium";

const named =
  (name: string) =>
  ({ type, payload }: WorldMessage): boolean =>
    type === "event" && payload.name === name;

/** Takes the task that it is told, notes the tide in the folder that it is given, and hands it over. */
function work({ said, returned, body }: Asked) {
  const answer = { type: "answer", chunks: [] as string[], usage: USAGE } as const;
  const [, taskId] = /^Take: (\S+)$/m.exec(said) ?? [];
  const call = (name: string, input: object) => ({ ...answer, toolCalls: [{ name, input }] });
  if (taskId === undefined) return { ...answer, chunks: ["Heard."] };
  switch (returned.length) {
    case 0:
      return call(`${TOOLS}__take_task`, { task_id: taskId });
    case 1: {
      const [, folder = ""] = /You work in the folder (\S+),/.exec(JSON.stringify(body)) ?? [];
      const command = `echo high > ${folder}/tide.txt`;
      return call("Bash", { command, description: "note the tide" });
    }
    case 2:
      return call(`${TOOLS}__hand_over_task`, { summary: "The tide is noted." });
    default:
      return { ...answer, chunks: ["Delivered."] };
  }
}

test(
  "[JOIN-45] the real Claude Code takes a task, works in its worktree, hands it over, and is woken by a message",
  { skip },
  async () => {
    await using stage = await openClaudeJoinedStage(work);
    const { home, env, project, folder } = stage;
    const repository = makeBusyRepository(join(folder, "repository"));
    const agents = [{ id: "agent_eng_1", runtime: "planner" }];
    await writeSettings(home, { agents, repository });
    const joined = await runCli(["join", "claude-code", "--tasks", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(home, { env: { PATH: env["PATH"] ?? "" } });
    const place = { cwd: project, env };
    const args = ["--permission-mode", "manual", "--allowedTools", TOOLS];
    const terminal = openTerminal(claude.path(), args, place);
    try {
      const peer = await enterWorld(server);
      const planned = peer.next(named("tasks_created"));
      const finished = peer.next(named("kickoff_finished"));
      await peer.ask("submit_request", { text: "Note the tide", repository: "shop" });
      const taskId: string = (await planned).payload.tasks[0].task_id;
      await finished;
      const submit = async (text: string): Promise<void> => {
        terminal.type(text);
        await terminal.shows(new RegExp(text.slice(-8)));
        terminal.type("\r");
      };
      await terminal.shows(/shortcuts|manual/);
      const made = peer.next(named("artifact_created"));
      const review = peer.next(named("review_requested"));
      await submit(`Take: ${taskId}`);
      // The folder is not its own, so it asks; people in the office see that.
      const decisionsIn = ({ type, payload: { decisions = [] } }: WorldMessage) =>
        type === "snapshot"
          ? decisions.filter(({ status }: { status: string }) => status === "open")
          : [];
      const asking = await peer.first((message) => decisionsIn(message).length > 0);
      const [{ decision_id }] = decisionsIn(asking);
      await peer.ask("resolve_decision", { decision_id, choice: "Allow" });
      const { payload } = await made;
      assert.match(payload.agent_id, /^agent_joined_/);
      assert.equal(payload.change.files, 1);
      await review;
      // It is idle, and nobody types anything.
      const isIdle = ({ type, payload: { agents: all = [] } }: WorldMessage): boolean =>
        type === "snapshot" &&
        all.some(
          // oxlint-disable-next-line typescript/no-explicit-any -- held against the schema when it came
          ({ joined: info, status }: any) =>
            status === "in_review" && info?.message_moments.includes("wake") === true,
        );
      const last = peer.told("snapshot").at(-1);
      if (last === undefined || !isIdle(last)) await peer.next(isIdle);
      const woken = peer.next(
        (message) => isIdle(message) && JSON.stringify(message).includes('"moment":"wake"'),
      );
      const asked = stage.model.requests.length;
      await peer.ask("leave_message", { agent_id: payload.agent_id, text: "Mind the neap tides." });
      await woken;
      const later = JSON.stringify(stage.model.requests.slice(asked).map(({ body }) => body));
      assert.match(later, /Mind the neap tides/);
    } catch (cause) {
      throw new Error(terminal.drawn().slice(-3_000), { cause });
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
    }
  },
);
