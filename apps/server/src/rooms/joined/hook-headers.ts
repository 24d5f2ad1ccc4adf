/** What the plugin's scripts add to a request, because the program does not tell it. */
import type { IncomingMessage } from "node:http";
import { cleanText } from "../../platform/clean-text.ts";

const MAX_HEADER_CHARS = 1_000;

export function readHookHeader({ headers }: IncomingMessage, name: string): string | null {
  const value = new Map(Object.entries(headers)).get(`x-atrium-${name}`);
  // Sent as it is written, and read as bytes.
  const text = typeof value === "string" ? Buffer.from(value, "latin1").toString("utf8") : "";
  const line = cleanText(text).slice(0, MAX_HEADER_CHARS);
  return line === "" ? null : line;
}

export function pidIn(incoming: IncomingMessage): number | null {
  const pid = Number(readHookHeader(incoming, "pid"));
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null;
}
