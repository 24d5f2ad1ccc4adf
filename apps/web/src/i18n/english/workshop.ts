/** Repositories, the sandbox, commands and the files of every moment. */
export const workshopWords = {
  notRead: (why: string): string => `Could not load this: ${why}`,
  sandboxTitle: "Sandbox",
  sandboxTesting: "Testing the sandbox…",
  sandboxOn: (name: string): string => `On: ${name}`,
  sandboxOff: "Off: you are asked about every command",
  sandboxOnText:
    "Commands of agents run in a sandbox. They can change files only in the folder of their task, see nothing else of this computer, and have no network unless you allow it for a command.",
  sandboxOffText:
    "Commands of agents are not sandboxed here. Atrium asks you about each one and runs none without your answer. A command that you allow has the rights of the server's user.",
  sandboxWhy: "Reason",
  sandboxMend:
    "A sandbox needs Linux, bubblewrap 0.8 or newer, and user namespaces. Install bubblewrap on the server's computer, then restart the server.",
  selfTest: (refused: number, all: number): string =>
    refused === all
      ? `Self-test: ${all} ways out tried, all refused`
      : `Self-test: ${refused} of ${all} ways out refused`,
  selfTestText: "At its start the server tries to get out of its own sandbox in these ways.",
  outcomes: { refused: "refused", escaped: "got out", untried: "could not be tried" },
  repositories: "Repositories",
  repositoriesText:
    "Agents work on copies of these repositories. Your files, branches and uncommitted changes stay untouched.",
  repositoriesNone: "No repository yet. A project without one gets an empty repository of its own.",
  gitMissing: "No git",
  gitMissingText:
    "Install git 2.38 or newer on the server's computer. Until then agents have no files to work on; everything else works.",
  repositoryReady: "Ready",
  repositoryBroken: "Cannot be used",
  kinds: { git: "Git repository", folder: "Folder without git", own: "Made by Atrium" },
  startsFrom: (commit: string): string => `work starts from ${commit}`,
  terminal: "Command",
  terminalNothing: "It printed nothing.",
  terminalCut: "Earlier output is not shown here.",
  terminalLatest: "Jump to latest",
  terminalWhole: (size: string): string => `Show all output (${size})`,
  terminalGone: "Could not load the output. It may have been deleted.",
  download: "Download",
};
