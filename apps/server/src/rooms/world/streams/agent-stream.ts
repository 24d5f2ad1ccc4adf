/** One run's words on their way: numbered from 1, gathered for a moment, closed once. */
import type { STREAM_KINDS } from "@atrium/wire/world";
import type { Timers } from "../../../platform/timers.ts";
import type { LiveEvent } from "../../../runs/live-runs.ts";
import { CodeFenceSplitter } from "./code-fences.ts";

export type StreamKind = (typeof STREAM_KINDS)[number];

export interface Delta {
  readonly kind: StreamKind;
  readonly seq: number;
  readonly delta: string;
  readonly done: boolean;
}

/** A quick model is no flood: at most so often is something said. */
const GATHER_MS = 100;
/** Of what was said before a newcomer came, the end is told. */
const MAX_TEXT_SO_FAR_CHARS = 20_000;

export class AgentStream {
  readonly #timers: Timers;
  readonly #publish: (delta: Delta) => void;
  readonly #kind: "token" | "code";
  readonly #fences = new CodeFenceSplitter();
  #waiting: { readonly kind: StreamKind; text: string }[] = [];
  #cancel: (() => void) | undefined;
  /** Thoughts left out. */
  #text = "";
  #seq = 0;

  /** `kind`: of what sums it up. */
  constructor(timers: Timers, publish: (delta: Delta) => void, kind: "token" | "code" = "token") {
    this.#timers = timers;
    this.#publish = publish;
    this.#kind = kind;
  }

  onLiveEvent(event: LiveEvent & { readonly type: "text" | "thinking" }): void {
    const pieces =
      event.type === "thinking"
        ? [{ kind: "thought" as const, text: event.delta }]
        : this.#fences.split(event.delta);
    for (const { kind, text } of pieces) this.#gather(kind, text);
  }

  /** What a command puts out is shown as it is. */
  onOutput(text: string): void {
    this.#gather("code", text);
  }

  flush(): void {
    this.close();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { kind, text } of waiting) this.#send(kind, text, false);
  }

  end(): void {
    this.flush();
    this.#send(this.#kind, "", true);
  }

  /** For a newcomer, who goes on with everyone from the next number; undefined when nothing was said yet. */
  current(): Delta | undefined {
    if (this.#seq === 0) return undefined;
    return { kind: this.#kind, seq: this.#seq, delta: this.#text, done: false };
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #gather(kind: StreamKind, text: string): void {
    const last = this.#waiting.at(-1);
    if (last?.kind === kind) last.text += text;
    else this.#waiting.push({ kind, text });
    this.#cancel ??= this.#timers.after(GATHER_MS, () => this.flush());
  }

  #send(kind: StreamKind, delta: string, done: boolean): void {
    this.#seq += 1;
    if (kind !== "thought") this.#text = `${this.#text}${delta}`.slice(-MAX_TEXT_SO_FAR_CHARS);
    this.#publish({ kind, seq: this.#seq, delta, done });
  }
}
