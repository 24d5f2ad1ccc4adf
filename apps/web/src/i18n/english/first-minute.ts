/** What a newcomer reads: the first request, and how to connect a model after it. */
export const firstWords = {
  title: "Your first request",
  more: "Constraints, repository and files",
  later: "Look around first",
  demo: "Demo mode: no model.",
  connectOne: "Connect one",
  wasRehearsal: "That was a rehearsal.",
  wasRehearsalText: "Connect your agent, and it does the same in your own repository.",
  connectYours: "Connect your agent",
  notNow: "Not now",
  connectTitle: "Connect an agent",
  connectText:
    "The crew rehearses until an agent is behind it. Choose one that is on the server's computer.",
  connectWhich: "Agent",
  installed: "installed",
  notInstalled: "not found",
  stepSettings: "1. Put this into atrium.config.json, in the folder where you start the server",
  stepStart: "2. Restart the server with it",
  stepRepository: "3. Attach your repository",
  stepRepositoryText: "Your files stay untouched: agents work on a copy.",
};
