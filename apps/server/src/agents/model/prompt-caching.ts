/**
 * Asks Anthropic to keep what it has read: every step of a turn sends all that came before it again. Other providers
 * keep it unasked, or not at all.
 *
 *   tools, instructions | … what the step before sent | the step before, its results
 *                       ^ mark                        ^ mark                        ^ mark
 *
 * What is before a mark is stored, and read in later requests that begin the same. The first mark outlives a
 * compaction; the second is where the request before ended.
 */
import type { ModelMessage, SystemModelMessage } from "ai";

const MARK = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

export function markedInstructions(content: string): SystemModelMessage {
  return { role: "system", content, providerOptions: MARK };
}

export function markedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.length - 1;
  const before = messages.findLastIndex(({ role }) => role === "assistant") - 1;
  return messages.map((message, at) =>
    at === last || at === before ? { ...message, providerOptions: MARK } : message,
  );
}
