/**
 * One line from a person. The line editor exists only while a line is written: at other times the
 * terminal is an ordinary one, in which Ctrl-C is a signal and what is typed ahead waits.
 */
import { createInterface } from "node:readline";
import type { Terminal } from "./terminal.ts";

export interface LineRequest {
  readonly prompt: string;
  /** Earlier lines, newest first; kept up to date. */
  readonly history?: string[];
  /** Ends the reading when nobody needs the line any more. */
  readonly signal?: AbortSignal;
}

/** Undefined when the person has left. Lines that were pasted together are one. */
export function readLine(
  terminal: Terminal,
  { prompt, history = [], signal }: LineRequest,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { stdin: input, stdout: output } = terminal;
    const editor = createInterface({ input, output, history: [...history], prompt });
    const lines: string[] = [];
    const close = (): void => editor.close();
    signal?.addEventListener("abort", close, { once: true });
    editor.on("line", (line) => {
      lines.push(line);
      if (lines.length === 1) setImmediate(close);
    });
    editor.on("history", (kept: string[]) => history.splice(0, history.length, ...kept));
    editor.on("SIGINT", () => {
      if (editor.line === "") {
        close();
        return;
      }
      // What was begun is dropped; the next Ctrl-C leaves.
      terminal.out("\n");
      editor.write(null, { ctrl: true, name: "e" });
      editor.write(null, { ctrl: true, name: "u" });
      editor.prompt();
    });
    editor.on("close", () => {
      signal?.removeEventListener("abort", close);
      if (lines.length === 0) terminal.out("\n");
      resolve(lines.length === 0 ? undefined : lines.join("\n"));
    });
    if (signal?.aborted === true) close();
    else editor.prompt();
  });
}
