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
} as const;
