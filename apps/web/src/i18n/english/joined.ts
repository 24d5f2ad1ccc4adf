/** Sessions that people start in a terminal. */
export const joinedWords = {
  role: "joined session",
  program: "Program",
  model: "Model",
  owner: "Started by",
  folder: "Folder",
  branch: (folder: string, branch: string): string => `${folder} (branch ${branch})`,
  doing: "Uses",
  answers: {
    both: "What it asks is answered here or in its terminal; the first answer counts.",
    office: "What it asks is answered here. Its own dialog stays closed meanwhile.",
    terminal: "What it asks is answered in its terminal, not here.",
  },
  source: "Known from",
  fromTranscript: "read from its transcript",
  readOnly: (command: string): string =>
    `It has not joined: nothing can be asked or sent from here. To join, run ${command} and start it again.`,
  cannotJoin: "It has not joined: nothing can be asked or sent from here. Write in its terminal.",
  asksInTerminal: "It asks something. Answer it in its terminal.",
  takesTasks: "It can be given a task: on the board, or by dragging one onto it.",
  attach: {
    title: "Go on in a terminal",
    text: "On the server's computer, this opens the agent's session in your terminal. It stops meanwhile, and goes on when you end the program.",
  },
  messages: "Messages",
  field: "Leave a message",
  leave: "Leave",
  arrives: {
    working: {
      "at-once": "It gets this after the step it is at, as if it were typed in its terminal.",
      "tool-result":
        "It gets this with the result of the tool it uses next, or when its turn ends.",
      "turn-end": "It gets this when its turn ends.",
      wake: "It gets this as soon as its turn has ended.",
      prompt: "It gets this with the next prompt that is typed in its terminal.",
    },
    idle: {
      "at-once": "It is idle. It gets this at once, as if it were typed in its terminal.",
      wake: "It is idle. It gets this at once and starts to work on it.",
      prompt: "It is idle. It gets this with the next prompt that is typed in its terminal.",
      "turn-end": "It is idle. It gets this when the next turn in its terminal ends.",
      "tool-result": "It is idle. It gets this when it next uses a tool.",
    },
    never: "This program takes no messages. Write in its terminal.",
  },
  waits: "waits",
  unconfirmed: "sent; its program has not confirmed that it has it",
  denied: "turned away in its terminal",
  delivered: {
    "at-once": "delivered at once",
    "tool-result": "delivered with the result of a tool",
    "turn-end": "delivered at the end of a turn",
    prompt: "delivered with a prompt",
    wake: "delivered at once",
  },
  sightings: {
    title: "Sessions in terminals",
    text: "Show sessions that have not joined, by reading the files that a program keeps on the server's computer. They can be seen, not answered. Prompts and answers are not kept.",
    reads: (files: string): string => `Reads ${files}`,
    on: (name: string): string => `Sessions of ${name} are shown.`,
    off: (name: string): string => `Sessions of ${name} are no longer read.`,
  },
};
