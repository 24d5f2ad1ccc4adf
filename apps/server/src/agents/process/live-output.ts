import type { Timers } from "../../platform/timers.ts";
/**
 * The output of a command while it runs, for whoever watches: plain text without secrets, a few times a
 * second. More than anybody could read is left out, and how much that was is said.
 */
import { knownSecrets } from "../turn/mask.ts";
import { StreamRedactor } from "../turn/redact.ts";
import { TerminalText } from "./terminal-text.ts";

export interface LiveOutputDeps {
  readonly timers: Timers;
  /** Read again and again: more of them may become known. */
  readonly secrets: () => readonly string[];
  readonly publish: (text: string) => void;
}

const GATHER_MS = 100;
const MAX_GATHERED_CHARS = 16_384;
/** Those of browsers are known by their shape alone. */
const SESSION_SECRET_CHARS = 64;

export class LiveOutput {
  readonly #deps: LiveOutputDeps;
  readonly #plain = new TerminalText();
  readonly #masked = new StreamRedactor();
  #waiting = "";
  #leftOut = 0;
  /** So much after a gap may be the end of a secret that began in it. */
  #doubtful = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: LiveOutputDeps) {
    this.#deps = deps;
  }

  add(text: string): void {
    // Once something is left out, so is the rest, until what there is has been told.
    const taken = this.#leftOut > 0 ? "" : text.slice(0, MAX_GATHERED_CHARS - this.#waiting.length);
    this.#waiting += taken;
    this.#leftOut += text.length - taken.length;
    this.#cancel ??= this.#deps.timers.after(GATHER_MS, () => this.#tell(false));
  }

  /** The command is over. */
  end(): void {
    this.#cancel?.();
    this.#tell(true);
  }

  #tell(isOver: boolean): void {
    this.#cancel = undefined;
    const known = knownSecrets(this.#deps.secrets());
    const [text, gap] = [this.#waiting, this.#leftOut];
    [this.#waiting, this.#leftOut] = ["", 0];
    let shown = this.#certain(this.#masked.push(this.#plain.add(text), known));
    if (gap > 0) {
      this.#plain.clear();
      this.#masked.clear();
      this.#doubtful = Math.max(SESSION_SECRET_CHARS, ...known.map(({ length }) => length));
      shown += `\n… ${gap} characters left out …\n`;
    }
    if (isOver) {
      shown += this.#certain(this.#masked.push(this.#plain.end(), known) + this.#masked.end());
    }
    if (shown !== "") this.#deps.publish(shown);
  }

  #certain(text: string): string {
    const doubtful = Math.min(this.#doubtful, text.length);
    this.#doubtful -= doubtful;
    return text.slice(doubtful);
  }
}
