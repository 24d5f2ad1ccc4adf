/**
 * What each node has of its own and every node should see: who is connected to it, what is being said on it. Nobody
 * keeps it; it is told over the bus, and gone with its node.
 *
 *   one node      change, change, ------ change -------------- whole
 *   another one   apply,  apply,  (one is missing) ask --------> replace, apply ...
 *
 * A node counts its changes. Whoever misses one, or is new, asks for the whole, which comes the same way and so in
 * order with the changes. A change never overtakes the log: it names the newest entry its node knew, and waits on
 * every other node until that entry has been folded there (mirror-lane.ts).
 */
import { randomUUID } from "node:crypto";
import { Fault } from "@atrium/core";
import type { Bus, Log } from "@atrium/log";
import { Compile, Type } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import type { Timers } from "../platform/timers.ts";
import type { Cluster } from "./cluster.ts";
import { MirrorLane, type Update } from "./mirror-lane.ts";
import { Pieces, piecesOf, TextPiece } from "./pieces.ts";
import { watchGone } from "./watch-gone.ts";

export interface MirrorDeps {
  readonly cluster: Pick<Cluster, "node" | "members" | "onChange">;
  readonly bus: Pick<Bus, "publish" | "subscribe">;
  readonly log: Pick<Log, "head">;
  /** Resolves once everything up to that entry is folded; nothing when it is. */
  readonly settled: (seq: number) => Promise<void> | void;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
}

/** Changes are JSON; those of an unknown kind come from a newer node and are left out. */
export interface MirrorSource<Change> {
  /** The same on all nodes. */
  readonly name: string;
  /** All that this node has, as changes from nothing. */
  whole(): Iterable<Change>;
  /** Something has changed on another node. */
  apply(change: Change, node: string): void;
  /** All that another node has; nothing when it is gone. */
  replace(changes: readonly Change[], node: string): void;
}

interface Pending {
  readonly seq: number;
  readonly text: string;
}

const EVERYONE = "*";
/** Far below what a NATS server takes by default. */
const MAX_MESSAGE_CHARS = 200_000;
const MAX_MESSAGE_BYTES = 700_000;
const ASK_AGAIN_MS = 1_000;

export class Mirror<Change> implements Disposable {
  readonly #source: MirrorSource<Change>;
  readonly #deps: MirrorDeps;
  readonly #subject: string;
  /** Another one with every start. */
  readonly #life = randomUUID();
  readonly #lanes = new Map<string, MirrorLane<Change>>();
  readonly #held = new DisposableStack();
  readonly #pieces = new Pieces();
  #pending: Pending[] = [];
  #count = 0;
  #isWholeDue = false;
  #cancelAsking: (() => void) | undefined;

  constructor(source: MirrorSource<Change>, deps: MirrorDeps) {
    this.#source = source;
    this.#deps = deps;
    this.#subject = `mirror.${source.name}`;
    this.#held.use(
      deps.bus.subscribe(this.#subject, (bytes) => this.#receive(String(Buffer.from(bytes)))),
    );
    this.#held.use(deps.cluster.onChange(() => this.#meet()));
    this.#held.use(
      watchGone(deps.cluster, (node, isBack) => {
        if (isBack) this.#lanes.get(node)?.restart();
        else this.#forget(node);
      }),
    );
    this.#held.defer(() => this.#cancelAsking?.());
    this.#ask(EVERYONE);
  }

  /** Tells the other nodes of a change here, at the end of the loop's turn. */
  tell(change: Change): void {
    if (this.#pending.length === 0) setImmediate(() => this.#flush());
    this.#pending.push({ seq: this.#deps.log.head, text: JSON.stringify(change) });
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
    for (const lane of this.#lanes.values()) lane.close();
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = [];
    for (const { seq, texts } of messagesOf(pending)) {
      this.#send(seq, texts, "");
      this.#count += texts.length;
    }
  }

  #sendWhole(): void {
    this.#isWholeDue = false;
    this.#flush();
    const seq = this.#deps.log.head;
    const changes = Array.from(this.#source.whole(), (change) => JSON.stringify(change));
    const messages = messagesOf(changes.map((text) => ({ seq, text })));
    const of = Math.max(1, messages.length);
    for (let at = 0; at < of; at++) {
      this.#send(seq, messages[at]?.texts ?? [], `"part":[${at},${of}],`);
    }
  }

  #send(seq: number, texts: readonly string[], part: string): void {
    const head = { from: this.#deps.cluster.node, life: this.#life, after: this.#count, seq };
    this.#publish(`${JSON.stringify(head).slice(0, -1)},${part}"changes":[${texts.join(",")}]}`);
  }

  #publish(text: string): void {
    if (this.#held.disposed) return;
    const { bus, cluster } = this.#deps;
    const send = (message: string): void => bus.publish(this.#subject, Buffer.from(message));
    // One change may be long: what a peer declares, or says at once.
    if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return send(text);
    for (const piece of piecesOf(randomUUID(), cluster.node, text)) send(JSON.stringify({ piece }));
  }

  #ask(whom: string): void {
    this.#publish(JSON.stringify({ ask: whom }));
    this.#cancelAsking ??= this.#deps.timers.after(ASK_AGAIN_MS, () => {
      this.#cancelAsking = undefined;
      for (const [name, lane] of this.#lanes) if (!lane.isInStep) this.#ask(name);
    });
  }

  #receive(text: string): void {
    const message = readMessage<Change>(text);
    const { node } = this.#deps.cluster;
    if (message === undefined) return;
    if ("piece" in message) {
      const whole = message.piece.from === node ? undefined : this.#pieces.add(message.piece);
      if (whole !== undefined) this.#receive(whole);
    } else if ("ask" in message) {
      if (message.ask !== node && message.ask !== EVERYONE) return;
      // Several who ask at the same time are answered once.
      if (!this.#isWholeDue) setImmediate(() => this.#sendWhole());
      this.#isWholeDue = true;
    } else if (message.from !== node) this.#laneOf(message.from).take(message);
  }

  #laneOf(name: string): MirrorLane<Change> {
    const known = this.#lanes.get(name);
    if (known !== undefined) return known;
    const { settled, report } = this.#deps;
    const lane = new MirrorLane<Change>({
      settled,
      apply: (change) => this.#source.apply(change, name),
      replace: (changes) => this.#source.replace(changes, name),
      ask: () => this.#ask(name),
      report: (cause) => report(new Fault("a change on another node was lost", { name }, cause)),
    });
    this.#lanes.set(name, lane);
    return lane;
  }

  #meet(): void {
    const { node, members } = this.#deps.cluster;
    for (const { node: name } of members()) {
      if (name === node || this.#lanes.has(name)) continue;
      this.#laneOf(name);
      this.#ask(name);
    }
  }

  #forget(name: string): void {
    this.#pieces.forgetFrom(name);
    this.#lanes.get(name)?.close();
    this.#lanes.delete(name);
    this.#source.replace([], name);
  }
}

type Message<Change> = { readonly ask: string } | { readonly piece: TextPiece } | Update<Change>;

/** What each change is, only its source knows. */
const AnyMessage = Compile(
  Type.Union([
    Type.Object({ ask: Type.String() }),
    Type.Object({ piece: TextPiece }),
    Type.Object({
      from: Type.String(),
      life: Type.String(),
      after: Type.Number(),
      seq: Type.Number(),
      changes: Type.Array(Type.Unknown()),
      part: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    }),
  ]),
);

/** Undefined when it is none: whoever has the account at the servers can send anything. */
function readMessage<Change>(text: string): Message<Change> | undefined {
  const value = parseJson(text);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked but for the kind of its changes
  return AnyMessage.Check(value) ? (value as Message<Change>) : undefined;
}

/** Together what belongs to the same position, as far as it fits. */
function messagesOf(pending: readonly Pending[]) {
  const messages: { readonly seq: number; readonly texts: string[]; chars: number }[] = [];
  for (const { seq, text } of pending) {
    const last = messages.at(-1);
    if (last?.seq === seq && last.chars + text.length <= MAX_MESSAGE_CHARS) {
      last.texts.push(text);
      last.chars += text.length;
    } else messages.push({ seq, texts: [text], chars: text.length });
  }
  return messages;
}
