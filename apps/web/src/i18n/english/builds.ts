export const buildWords = {
  intro:
    "Describe what you need. An agent builds it in seven steps and asks you questions on the way.",
  promptLabel: "What do you want to build?",
  promptExample: "A bot that reminds me to water the plants",
  start: "Start build",
  listTitle: "All builds",
  none: "No builds yet.",
  more: "Show earlier builds",
  new: "New",
  stages: {
    working: "building",
    waiting: "asks you",
    completed: "complete",
    failed: "failed",
    cancelled: "canceled",
  },
  stepsLabel: "Steps",
  stepStates: { pending: "pending", active: "in progress", done: "done", skipped: "skipped" },
  stepsDone: (done: number, total: number): string => `${done} of ${total} steps`,
  /** By the titles that the protocol gives; an agent's own titles are not translated. */
  steps: {
    "Starting your build": {
      title: "Starting your build",
      description: "I’m setting up your build session.",
    },
    "Understanding your request": {
      title: "Understanding your request",
      description: "I’m reading your request and mapping the plan.",
    },
    "Gathering what we need": {
      title: "Gathering what we need",
      description: "I’m collecting the tools and references for your build.",
    },
    "Planning your agent": {
      title: "Planning your agent",
      description: "I’m creating the build plan for your agent.",
    },
    "Building your agent": {
      title: "Building your agent",
      description: "I’m assembling the pieces now.",
    },
    "Testing everything": {
      title: "Testing everything",
      description: "I’m running checks to make sure everything works.",
    },
    Finalizing: {
      title: "Finalizing",
      description: "I’m wrapping up and preparing your result.",
    },
  } as Readonly<Record<string, { readonly title: string; readonly description: string }>>,
  talkLabel: "Conversation",
  system: "Atrium",
  asksSeveral: "Questions for you",
  handover: "What was built",
  handoverFiles: (count: number, hasMore: boolean): string =>
    count === 1
      ? "1 file changed"
      : `${count.toLocaleString("en")}${hasMore ? "+" : ""} files changed`,
  handoverZip: "Download as zip",
  handoverClone: "Clone it",
  handoverPassword: "Git asks for a user name and a password: any name, and the server's token.",
  optional: "optional",
  permissionLoading: "Loading the full request…",
  permissionCode: (code: string): string => `Or write “yes ${code}” in the build's chat.`,
  permissionAsked: (tool: string): string => `Asks for permission: ${tool}`,
  permissionOutcomes: {
    allowed: (by: string): string => `Allowed by ${by}`,
    denied: (by: string): string => `Denied by ${by}`,
    expired: (_by: string): string => "Expired without an answer",
  },
  checksOutcomes: {
    running: "The checks are running.",
    passed: "The checks have passed.",
    failed: "The checks have failed.",
  },
  checkVerdicts: {
    running: "running",
    passed: "passed",
    failed: "failed",
    error: "could not be run",
    skipped: "skipped without permission",
  },
  checkOptional: "not required",
  exitCode: (code: number): string => `exit code ${code}`,
  skip: "Skip",
  leftBlank: "left blank",
  answered: "Answer sent.",
  cancel: "Cancel build",
  cancelled: "Build canceled.",
  filesTitle: "Files",
  failedTitle: "Build failed",
  noOutput: "The agent wrote no summary.",
  noReason: "The agent gave no reason.",
  openTalk: "Open in chat",
  thinking: "The agent is working",
  unknown: "Build not found. Choose a build from the list.",
};
