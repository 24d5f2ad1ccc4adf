/** How much people may say at once. Plain numbers, so that a page can say what is too much before it is sent. */
export const WORLD_LIMITS = {
  /** Characters of a request, a message, or what should change. */
  text: 20_000,
  /** Characters of an answer, and of the word that goes with it. */
  answer: 2_000,
  /** Questions that are answered together. */
  questions: 20,
  /** Tasks that something is split into. */
  titles: 12,
  /** Characters of a task's title. */
  title: 120,
  /** Characters of a comment on lines, and how many go together. */
  comment: 8_000,
  comments: 100,
  /** Characters of the path of a file. */
  path: 4_096,
  /** What a task is accepted by, and the commands that verify it: how many, and characters of each. */
  criteria: 12,
  criterion: 300,
  commands: 5,
  command: 500,
  /** Tasks of a project, over all. */
  tasks: 144,
} as const;
