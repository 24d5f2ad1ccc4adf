/**
 * What joined sessions do right now. Not in the log: it changes with every tool they use. Those of other nodes are shown
 * too, and reached only there.
 */
import type { Clock } from "@atrium/core";
import type { MirrorSource } from "../cluster/mirror.ts";

export interface LiveSession {
  /** When it was last heard of. */
  readonly heardAt: number;
  /** The tool it uses, in a line. */
  readonly doing: string | null;
  /** Its program can be told something at any time, and asks here by itself. */
  readonly isReachable: boolean;
  /** A message reaches it at once, also while it is idle. */
  readonly canWake: boolean;
}

export type LiveSessionChange =
  | { readonly type: "set"; readonly id: string; readonly session: LiveSession }
  | { readonly type: "forget"; readonly id: string };

type OpenMirror = (
  source: MirrorSource<LiveSessionChange>,
) => { tell(change: LiveSessionChange): void } | undefined;

export class LiveSessions {
  readonly #clock: Clock;
  /** Of this node. */
  readonly #sessions = new Map<string, LiveSession>();
  /** By node: those of the others. */
  readonly #others = new Map<string, Map<string, LiveSession>>();
  readonly #listeners = new Set<() => void>();
  readonly #mirror: ReturnType<OpenMirror>;

  /** `mirror`: undefined when there is nobody to tell. */
  constructor(clock: Clock, mirror?: OpenMirror) {
    this.#clock = clock;
    this.#mirror = mirror?.({
      name: "live-sessions",
      whole: () =>
        [...this.#sessions].map(([id, session]) => ({ type: "set", id, session }) as const),
      apply: (change, node) => this.#applyOf(node, change),
      replace: (changes, node) => {
        this.#others.delete(node);
        for (const change of changes) this.#applyOf(node, change);
        this.#tell();
      },
    });
  }

  /** As the node knows it that heard of it last. */
  get(id: string): LiveSession | undefined {
    const known = [this.#sessions, ...this.#others.values()].flatMap((each) => each.get(id) ?? []);
    return known.toSorted((a, b) => b.heardAt - a.heardAt)[0];
  }

  /** `doing` left out: what it did before, it still does. */
  hear(id: string, doing?: string | null): void {
    const before = this.#sessions.get(id);
    const now = doing === undefined ? (before?.doing ?? null) : doing;
    this.#set(id, { ...before, doing: now });
  }

  isReachable(id: string): boolean {
    return this.#sessions.get(id)?.isReachable ?? false;
  }

  reach(id: string): void {
    this.#set(id, { ...this.#sessions.get(id), isReachable: true });
  }

  /** It may still be there; only its hooks tell. */
  lose(id: string): void {
    const before = this.#sessions.get(id);
    if (before === undefined) return;
    this.#change({ type: "set", id, session: { ...before, isReachable: false } });
  }

  /** Of one that does not report: it was heard of when its files were written. */
  see(id: string, { heardAt, doing }: Pick<LiveSession, "heardAt" | "doing">): void {
    const before = this.#sessions.get(id);
    if (before?.heardAt === heardAt && before.doing === doing) return;
    const session = { heardAt, doing, isReachable: false, canWake: false };
    this.#change({ type: "set", id, session });
  }

  setWakeable(id: string, canWake: boolean): void {
    const known = this.#sessions.get(id);
    // Of one that has left there is nothing to tell.
    if ((known?.canWake ?? false) !== canWake) this.#set(id, { ...known, canWake });
  }

  #set(id: string, known: Partial<LiveSession>): void {
    const { doing = null, isReachable = false, canWake = false } = known;
    const session = { heardAt: this.#clock.now(), doing, isReachable, canWake };
    this.#change({ type: "set", id, session });
  }

  #change(change: LiveSessionChange): void {
    apply(this.#sessions, change);
    this.#mirror?.tell(change);
    if (change.type === "set") this.#tell();
  }

  #applyOf(node: string, change: LiveSessionChange): void {
    const known = this.#others.get(node) ?? new Map<string, LiveSession>();
    this.#others.set(node, known);
    apply(known, change);
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }

  forget(id: string): void {
    if (this.#sessions.has(id)) this.#change({ type: "forget", id });
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

function apply(sessions: Map<string, LiveSession>, change: LiveSessionChange): void {
  switch (change.type) {
    case "set":
      sessions.set(change.id, change.session);
      return;
    case "forget":
      sessions.delete(change.id);
  }
}
