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
  preview: "Open preview",
  files: "Files",
  filesNone: "No files yet. They appear once an agent works on this.",
  filesAll: "All files",
  filesChanged: (count: number, hasMore: boolean): string =>
    `Changed (${count.toLocaleString("en")}${hasMore ? "+" : ""})`,
  filesMore: "There are more files than are listed here.",
  changesNone: "No file differs from where this work started.",
  folderEmpty: "This folder is empty.",
  fileLarge: (size: string): string => `This change is long${size === "" ? "" : ` (${size})`}.`,
  fileAnyway: "Show it anyway",
  fileGone: "Could not load this file.",
  fileBinary: "This is not text. Download it to open it.",
  fileEmpty: "This file is empty.",
  linesMore: (count: number): string => `Show more (${count.toLocaleString("en")} lines left)`,
  hows: {
    added: "added",
    changed: "changed",
    removed: "deleted",
    renamed: "renamed",
    retyped: "type changed",
  },
  entryTypes: { program: "program", link: "link", folder: "folder", submodule: "submodule" },
  repository: "Repository",
  repositoryOwn: "A new one for this work",
  repositoryOwnHint: "The work starts in an empty repository.",
  repositoryAttach: "Attach one of yours in the settings",
  repositoryHint: (path: string): string =>
    `The work starts from a copy of ${path}. Your files stay untouched.`,
  repositoryUnusable: (id: string): string => `${id} (cannot be used)`,
  repositoryAdd: "Add a repository",
  repositoryPath: "Folder on the server's computer",
  repositoryPathHint:
    "The whole path of a git repository or of any other folder. Agents can read all that is committed in it.",
  repositoryId: "Short name (optional)",
  repositoryBase: "Branch to start from (optional)",
  repositoryIsAdded: (id: string): string => `Added: ${id}`,
  repositoryRemove: "Remove",
  repositoryRemoved: (id: string): string => `Removed: ${id}`,
  repositorySure: (id: string): string =>
    `Remove ${id}? New work can no longer choose it. Work under way goes on, and your folder stays as it is.`,
  repositoryConfigured: "from the settings file",
  repositoryAdded: (by: string, when: string): string =>
    by === "" ? `added ${when}` : `added by ${by}, ${when}`,
  repositoryRefusals: {
    "repository.missing": "There is no such folder on the server's computer. Check the path.",
    "repository.forbidden":
      "This folder belongs to the server itself. Agents must not see it. Choose another folder.",
    "repository.taken": "Another repository has this short name. Choose another name.",
    "repository.configured":
      "This repository is in the settings file. Remove it there and restart the server.",
  },
  momentHint: "Go back on the timeline to see earlier files, return to them or try another way.",
  momentOf: (when: string): string => `These are the files at ${when}.`,
  momentActs: { restore: "Go back to here", fork: "Start again from here" },
  momentSure: {
    restore: (when: string): string =>
      `The files of this task become what they were at ${when}. What changed later leaves the folder but stays on the timeline, so you can return to it in the same way.`,
    fork: (when: string): string =>
      `A new task starts from the files at ${when} and knows what was said until then. This task stays as it is.`,
  },
  momentOtherwise: "What should be different? (optional)",
  momentOtherwiseExample: "Use a table instead of a chart",
  forkedFrom: "Started from the files of",
};
