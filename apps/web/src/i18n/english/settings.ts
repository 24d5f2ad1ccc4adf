export const settingsWords = {
  localTitle: "This browser",
  localText:
    "These settings apply to this browser only. Other people and agents see only your name.",
  personName: "Your name",
  personNone: "Anonymous",
  personHint: (most: number): string =>
    `Everyone sees this name next to your requests, decisions and pointers. Up to ${most} characters. You don't need it to sign in.`,
  personKept: (name: string): string => `Your name is now “${name}”.`,
  personForgotten: "You are now anonymous.",
  names: {
    theme: "Appearance",
    language: "Language",
    motion: "Motion",
    sound: "Sound",
    picture: "Graphics",
    shortcuts: "Single-key shortcuts",
    invitation: "First steps",
  },
  choices: {
    theme: { auto: "System", day: "Day", night: "Night" },
    language: { auto: "Browser", en: "English", de: "Deutsch" },
    motion: { auto: "System", reduced: "Reduced" },
    sound: { off: "Off", on: "Chime when needed" },
    picture: {
      auto: "Automatic",
      low: "Low",
      medium: "Medium",
      high: "High",
      plan: "2D floor plan",
    },
    shortcuts: { on: "On", off: "Off" },
    invitation: { shown: "Show", dismissed: "Hide" },
  },
  tryChime: "Play the chime",
  loginsTitle: "Sessions",
  loginsText:
    "Browsers that are signed in to this server. A browser on another computer waits at the top until you approve it. Compare its ID with the ID on its page first. When you sign out a browser, it is disconnected at once and needs the server's link to sign in again.",
  loginsNone: "No browser is signed in. This server does not ask for a token on its own computer.",
  loginName: (name: string): string => `Name of ${name}`,
  loginAbout: (address: string, since: string, seen: string): string =>
    `Address: ${address}. Signed in: ${since}. Last seen: ${seen}.`,
  loginThis: "You are using this browser now.",
  loginWaits: (address: string, since: string, id: string): string =>
    `Waiting for approval since ${since}. Address: ${address}. ID on its page: ${id}`,
  loginApprove: "Approve",
  loginReject: "Deny",
  loginRevoke: "Sign out",
  standingTitle: "Standing permissions",
  standingText: "Agents may repeat these exact actions without asking you.",
  standingNone: "There are no standing permissions. Agents ask you every time.",
  agentRights:
    "A program that an agent starts has the rights of the server's user. It can read every file that this user can read, including the server's token.",
  standingScopes: {
    conversation: "in its conversation",
    project: "in its project",
    everywhere: "everywhere",
  },
  standingVoid: (pattern: string): string =>
    `Invalid: it covered more than you had read${pattern === "" ? "" : ` (${pattern})`}. Agents ask you again`,
  standingBy: (by: string, origin: string, when: string): string =>
    `Allowed by ${by}${origin === "" ? "" : `, ${origin}`}, ${when}`,
  standingRevoke: "Revoke",
  serverTitle: "Server",
  serverText: (file: string, exists: boolean): string =>
    exists
      ? `Using the settings in ${file}. To change them, edit this file and restart the server.`
      : `Using default settings. To change them, create ${file} and restart the server.`,
  agentsTitle: "Agents",
  agentName: "Name",
  agentRole: "Role",
  agentModel: "Model",
  runtimesTitle: "Runtimes",
  runtimeName: "Name",
  runtimeType: "Type",
  runtimeAbout: "Details",
  runtimePrice: "Price per million tokens",
  price: (input: string, output: string): string => `${input} input, ${output} output`,
  priceCached: (input: string): string => `${input} cached input`,
  usedBy: "Used by",
  nobody: "no agent",
  rehearsal: "No model. Agents follow a script and cost nothing.",
  budgetsTitle: "Budgets",
  budgets: {
    run: "Tokens per answer",
    conversation: "Tokens per conversation",
    project: "Tokens per project",
  } as Readonly<Record<string, string>>,
  noLimit: "No limit",
  budgetCost: (cost: string): string => `or ${cost}`,
  budgetText: "When a budget is used up, the agent pauses and asks you. No work is lost.",
  connecting: "Loading the server's settings…",
  gone: "Could not load the server's settings. Check that the server is running.",
};
