import type { Turn } from "./agent-runtime.ts";

/** What was said, and below it how things stand, so that nobody takes the one for the other. */
export function promptWithContext({ prompt, context }: Pick<Turn, "prompt" | "context">): string {
  if (context === undefined || prompt === "") return prompt;
  return `${prompt}\n\n---\nFor you, not said by the person: how things stand.\n\n${context}`;
}
