/**
 * The checks that run right now, and the end of what each has put out. Ephemeral: what became of one is in the log, and
 * all of its output beside it, once it has ended. Those of other nodes are here too.
 */
import type { MirrorSource } from "../../cluster/mirror.ts";

export interface LiveCheck {
  readonly checkId: string;
  /** The task or build whose files are checked. */
  readonly workspaceId: string;
  /** The end of it. */
  readonly output: string;
}

/** `text`: what it has put out now; null: it has ended. */
export type CheckListener = (check: LiveCheck, text: string | null) => void;

export type CheckChange =
  | { readonly type: "begin"; readonly checkId: string; readonly workspaceId: string }
  | { readonly type: "add"; readonly checkId: string; readonly text: string }
  | { readonly type: "end"; readonly checkId: string };

type OpenMirror = (
  source: MirrorSource<CheckChange>,
) => { tell(change: CheckChange): void } | undefined;

const MAX_OUTPUT_CHARS = 65_536;

export class LiveChecks {
  readonly #checks = new Map<string, LiveCheck>();
  readonly #listeners: CheckListener[] = [];
  /** Checks of other nodes, and which node has each. */
  readonly #nodes = new Map<string, string>();
  readonly #mirror: ReturnType<OpenMirror>;

  /** `mirror`: undefined when there is nobody to tell. */
  constructor(mirror?: OpenMirror) {
    this.#mirror = mirror?.({
      name: "live-checks",
      whole: () => this.#own(),
      apply: (change, node) => this.#applyOf(node, change),
      replace: (changes, node) => this.#replaceOf(node, changes),
    });
  }

  onOutput(listener: CheckListener): void {
    this.#listeners.push(listener);
  }

  list(): Iterable<LiveCheck> {
    return this.#checks.values();
  }

  /** Undefined when it does not run. */
  outputOf(checkId: string): string | undefined {
    return this.#checks.get(checkId)?.output;
  }

  begin(checkId: string, workspaceId: string): void {
    this.#change({ type: "begin", checkId, workspaceId });
  }

  add(checkId: string, text: string): void {
    this.#change({ type: "add", checkId, text });
  }

  end(checkId: string): void {
    this.#change({ type: "end", checkId });
  }

  #change(change: CheckChange): void {
    this.#apply(change);
    this.#mirror?.tell(change);
  }

  #apply(change: CheckChange): void {
    const { checkId } = change;
    if (change.type === "begin") {
      this.#checks.set(checkId, { checkId, workspaceId: change.workspaceId, output: "" });
      return;
    }
    const check = this.#checks.get(checkId);
    if (check === undefined) return;
    if (change.type === "end") {
      this.#checks.delete(checkId);
      for (const listener of this.#listeners) listener(check, null);
      return;
    }
    const { text } = change;
    if (text === "") return;
    const now = { ...check, output: `${check.output}${text}`.slice(-MAX_OUTPUT_CHARS) };
    this.#checks.set(checkId, now);
    for (const listener of this.#listeners) listener(now, text);
  }

  *#own(): Iterable<CheckChange> {
    for (const { checkId, workspaceId, output } of this.#checks.values()) {
      if (this.#nodes.has(checkId)) continue;
      yield { type: "begin", checkId, workspaceId };
      yield { type: "add", checkId, text: output };
    }
  }

  #applyOf(node: string, change: CheckChange): void {
    const { checkId } = change;
    if (change.type === "begin") this.#nodes.set(checkId, node);
    if (this.#nodes.get(checkId) !== node) return;
    this.#apply(change);
    if (change.type === "end") this.#nodes.delete(checkId);
  }

  /** What runs on: of its output is told what is new, if it is the beginning that is known. */
  #replaceOf(node: string, changes: readonly CheckChange[]): void {
    const running = new Set(changes.map(({ checkId }) => checkId));
    for (const [checkId, at] of this.#nodes) {
      if (at === node && !running.has(checkId)) this.#applyOf(node, { type: "end", checkId });
    }
    for (const change of changes) {
      const known = this.#checks.get(change.checkId)?.output ?? "";
      if (change.type === "add") {
        const isMore = change.text.startsWith(known);
        const text = isMore ? change.text.slice(known.length) : "";
        this.#applyOf(node, { ...change, text });
      } else if (this.#nodes.get(change.checkId) !== node) this.#applyOf(node, change);
    }
  }
}
