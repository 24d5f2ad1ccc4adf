/** An answer on its way to the screen: words to stdout, what is done meanwhile as quiet lines beside them. */
import type { RunUpdate } from "@atrium/client";
import { visibleText } from "@atrium/wire";
import { plainLine, plainText } from "../../terminal/plain-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";

const WAITING = "…";
const ERASE_LINE = "\r\u001b[K";
/** What a quiet line has around it. */
const MARGIN = 6;

type Tool = Extract<RunUpdate, { readonly type: "tool" }>;

export class AnswerView {
  readonly #terminal: Terminal;
  /** Words were written and their line has not ended. */
  #isLineOpen = false;
  #isWaiting = false;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#wait();
  }

  show(update: RunUpdate): void {
    switch (update.type) {
      case "accepted":
      case "thinking":
        return;
      case "text":
        this.#write(update.delta);
        return;
      case "rewritten":
        this.#endLine();
        this.#write(update.text);
        return;
      case "tool":
        this.#showTool(update);
        return;
      case "lost":
        this.note("lost the connection; reconnecting");
        return;
      case "back":
        this.note("reconnected");
        return;
      case "end":
        this.#showEnd(update);
    }
  }

  /** A quiet line about the answer, not of it. */
  note(text: string): void {
    this.#aside(this.#terminal.errPaint.quiet(`  · ${text}`));
    this.#wait();
  }

  /** Lines that are fit to be shown as they are. */
  lines(text: string): void {
    this.#aside(text.trimEnd());
  }

  /** Something the agent wants to know, with the answers there are. */
  ask(question: string, options: readonly string[] = []): void {
    const { errPaint } = this.#terminal;
    this.#aside(`${errPaint.doubtful("?")} ${visibleText(question)}`);
    for (const [index, option] of options.entries()) {
      this.#aside(`  ${errPaint.quiet(`${index + 1}`)} ${visibleText(option)}`);
    }
  }

  close(): void {
    this.#stopWaiting();
    this.#endLine();
  }

  #write(words: string): void {
    this.#stopWaiting();
    const text = plainText(words);
    if (text === "") return;
    this.#terminal.out(text);
    this.#isLineOpen = !text.endsWith("\n");
  }

  #showTool(update: Tool): void {
    const { errPaint, columns } = this.#terminal;
    const width = Math.max(MARGIN, columns - MARGIN);
    if (update.phase === "start") {
      const input = JSON.stringify(update.input) ?? "";
      const line = plainLine(`${update.name} ${input === "{}" ? "" : input}`, width);
      this.#aside(errPaint.quiet(`  · ${line}`));
    } else {
      const line = plainLine(update.text, width);
      this.#aside(update.isError ? errPaint.bad(`    ${line}`) : errPaint.quiet(`    ${line}`));
    }
    this.#wait();
  }

  #showEnd({ how, reason }: Extract<RunUpdate, { readonly type: "end" }>): void {
    this.#stopWaiting();
    this.#endLine();
    const { errPaint } = this.#terminal;
    switch (how) {
      case "completed":
        return;
      case "aborted":
        this.#aside(errPaint.quiet("  · stopped"));
        return;
      case "failed":
        this.#aside(`${errPaint.bad("failed:")} ${plainText(reason ?? "no reason given")}`);
    }
  }

  #aside(line: string): void {
    this.#stopWaiting();
    // Only where both are looked at together would one run into the other.
    if (this.#terminal.isSeen) this.#endLine();
    this.#terminal.err(`${line}\n`);
  }

  #endLine(): void {
    if (this.#isLineOpen) this.#terminal.out("\n");
    this.#isLineOpen = false;
  }

  /** Shows that something is coming, where it can be taken back. */
  #wait(): void {
    if (!this.#terminal.canErase || this.#isLineOpen || this.#isWaiting) return;
    this.#isWaiting = true;
    this.#terminal.err(this.#terminal.errPaint.quiet(WAITING));
  }

  #stopWaiting(): void {
    if (this.#isWaiting) this.#terminal.err(ERASE_LINE);
    this.#isWaiting = false;
  }
}
