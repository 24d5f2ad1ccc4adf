/**
 * What a command printed, as lines to be read: escape sequences are left out, a line that was written over is what was
 * written last, and signs that would not be seen are named. Pure.
 */
import { visibleText } from "@atrium/wire";

// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const SEQUENCES = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-Z\\^_])/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROLS = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;

export function terminalText(printed: string): string {
  const plain = printed.replace(SEQUENCES, "").replace(/\r+\n/g, "\n").replace(CONTROLS, "");
  const lines = plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain;
  return visibleText(lines);
}

/** Progress is written over itself: what a person at the terminal would see in the end. */
function lastWritten(line: string): string {
  return line.split("\r").findLast((part) => part !== "") ?? "";
}
