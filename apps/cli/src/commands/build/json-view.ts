/** A build for programs: one event a line, and nothing else. */
import type { EventPayloads } from "@atrium/client";
import type { Terminal } from "../../terminal/terminal.ts";
import type { View } from "./watch-build.ts";

export class JsonView implements View {
  readonly canAsk = false;
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  show(event: EventPayloads["build"]): void {
    this.#terminal.out(`${JSON.stringify(event)}\n`);
  }

  showOutput(): void {
    // The event has said where it is.
  }

  note(text: string): void {
    this.#terminal.err(`${text}\n`);
  }

  ask(): void {
    // The event has said it; whoever reads the events answers by other means.
  }

  resume(): void {
    // There is nothing to draw again.
  }

  close(): void {
    // There is nothing to put away.
  }
}
