/** Connecting agents and changing the crew. */
export const agentWords = {
  forWhom: "Works for",
  everyone: "The whole crew",
  useForEveryone: "Use for the whole crew",
  useForOne: "Use for this member",
  model: "Model",
  permissions: "May do without asking",
  presets: {
    sandbox: "Everything inside the sandbox",
    edit: "Change files, not run commands",
    ask: "Nothing: asks every time",
  },
  presetScope:
    "This holds where it works on a copy of a repository. Elsewhere it asks as its settings say.",
  presetUsual: "As usual for what drives it",
  askedPerTurn: (name: string): string =>
    `${name} asks about no single tool: you are asked once before each of its turns.`,
  trustsFolder: (name: string): string =>
    `${name} is started with --skip-trust, so it trusts every folder it works in, with the settings there. Name only folders that you trust.`,
  asEachHas: "As set for each agent",
  more: "Repository and limits",
  moreWithKey: "Repository, limits and key",
  repository: "Repository it may work on",
  repositoryHint:
    "A folder on the server's computer. Agents work on copies of it; your files stay as they are.",
  runCost: "Ask me when a run costs more, in US dollars",
  runTokens: "Ask me when a run takes more tokens",
  keyName: "Kept as",
  key: "Key",
  keyHint:
    "In place of a login. It is kept in a file that only the server's user reads, and never shown again.",
  testTurn: "Say hello afterwards",
  testCostProgram:
    "One short turn. The program sends its own instructions along, some ten thousand tokens, which your plan or key pays.",
  testCostLocal: "One short turn of a model on the server's computer.",
  connecting: "Connecting…",
  connected: (name: string): string => `${name} works for you from now on.`,
  asking: (name: string): string => `Connected. ${name} is answering…`,
  testTook: (tokens: string | undefined, price: string | undefined): string =>
    tokens === undefined
      ? `Cost: ${price ?? "unknown"}.`
      : `It took ${tokens} tokens, ${price ?? "cost unknown"}.`,
  byHand: "Do it by hand instead",
  crewTitle: "Agents",
  crewText: "Who works here, and what drives each. Changes take effect at once.",
  connectTitle: "Connect an agent",
  name: "Name",
  role: "Role",
  runtime: "Driven by",
  desk: "Desk",
  deskAny: "Any free desk",
  deskNumber: (desk: number): string => `Desk ${desk}`,
  look: "Another look",
  lookNext: (name: string): string => `Another look for ${name}`,
  edit: "Edit",
  editOne: (name: string): string => `Edit ${name}`,
  save: "Save",
  remove: "Remove",
  removeOne: (name: string): string => `Remove ${name} from the crew`,
  cancel: "Cancel",
  add: "Add a member",
  id: "ID",
  idHint: "Lowercase letters, digits and _, such as ops. It cannot be changed later.",
  saved: (name: string): string => `${name} is saved.`,
  added: (name: string): string => `${name} has joined the crew.`,
  removed: (name: string): string => `${name} has left the crew.`,
  notRead: (message: string): string => `The settings cannot be read: ${message}`,
};
