/**
 * Output of programs as plain text, piece by piece: without the sequences that move cursors, set titles
 * or colors, and without what cannot be seen. A sequence that comes in pieces is held back until it is
 * whole.
 */

const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  /[\u001B](?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\u0007\u001B]*(?:\u0007|\u001B\\)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/g;
// oxlint-disable-next-line no-control-regex -- as above
const BEGUN = /\u001B(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001B]*\u001B?|[ -/]*)$/;
/** A sequence this long is none. */
const MAX_BEGUN_CHARS = 4_096;
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

export class TerminalText {
  #begun = "";

  add(text: string): string {
    const all = `${this.#begun}${text}`.replaceAll(ESCAPES, "");
    const begun = BEGUN.exec(all)?.[0] ?? /[\r\uD800-\uDBFF]$/.exec(all)?.[0] ?? "";
    this.#begun = begun.length > MAX_BEGUN_CHARS ? "" : begun;
    return plain(all.slice(0, all.length - this.#begun.length));
  }

  /** What was held back. */
  end(): string {
    const left = plain(this.#begun);
    this.clear();
    return left;
  }

  clear(): void {
    this.#begun = "";
  }
}

/** Of a text that is whole. */
export function plainTerminalText(text: string): string {
  const terminal = new TerminalText();
  return `${terminal.add(text)}${terminal.end()}`;
}

/** A line that is written over, as bars of progress are, becomes a line of its own. */
function plain(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(UNSEEN, "").toWellFormed();
}
