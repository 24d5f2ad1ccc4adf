/**
 * Peers that receive the same bytes.
 *
 * Everything published in one turn of the event loop becomes one buffer, framed once and written once
 * per socket. A member that is not taking bytes keeps only a cursor; the buffers it has yet to see are
 * shared with every other straggler and dropped when the last of them has caught up. Passing frames are
 * not kept for stragglers: once caught up, each is told how things stand instead.
 */
import type { Audience } from "../sockets/peer.ts";
import type { Backlog, Outbox } from "./outbox.ts";
import { encodeTextFrames } from "./text-frame.ts";

interface Chunk {
  /** Where it begins, counted in bytes since the audience was made. */
  readonly start: number;
  readonly frames: Buffer;
}

export interface AudienceDeps {
  /** A member further behind than this is slow. */
  readonly maxLagBytes: number;
  /** Asks for `flush` at the end of the turn. */
  readonly schedule: (audience: FanoutAudience) => void;
  /** What stands for the passing frames that a member was spared. */
  readonly present: () => readonly string[];
}

export class FanoutAudience implements Audience, Backlog {
  readonly #deps: AudienceDeps;
  readonly #members = new Set<Outbox>();
  /** Members that are behind, and the offset of the first byte each has yet to get. */
  readonly #cursors = new Map<Outbox, number>();
  readonly #spared = new Set<Outbox>();
  #texts: string[] = [];
  /** Indices of those among the texts that are passing. */
  readonly #passing = new Set<number>();
  #chunks: Chunk[] = [];
  #end = 0;

  constructor(deps: AudienceDeps) {
    this.#deps = deps;
  }

  get size(): number {
    return this.#members.size;
  }

  get keptBytes(): number {
    return this.#end - (this.#chunks[0]?.start ?? this.#end);
  }

  join(member: Outbox): void {
    // What was published before it came is not for the newcomer.
    this.flush();
    this.#members.add(member);
    member.follow(this);
  }

  /** What was published while it was here is still for it. */
  leave(member: Outbox): void {
    this.flush();
    const cursor = this.#cursors.get(member);
    for (const { start, frames } of this.#chunks) {
      if (cursor !== undefined && start >= cursor) member.write(frames);
    }
    this.#members.delete(member);
    this.#cursors.delete(member);
    this.#spared.delete(member);
    member.unfollow(this);
    this.#forget();
  }

  publishPassing(text: string): void {
    if (this.#members.size === 0) return;
    this.#passing.add(this.#texts.length);
    this.publish(text);
  }

  publish(text: string): void {
    if (this.#members.size === 0) return;
    if (this.#texts.length === 0) this.#deps.schedule(this);
    this.#texts.push(text);
  }

  flush(): void {
    if (this.#texts.length === 0) return;
    const texts = this.#texts;
    this.#texts = [];
    const lasting =
      this.#passing.size === 0 ? texts : texts.filter((_, n) => !this.#passing.has(n));
    this.#passing.clear();
    const frames = encodeTextFrames(texts);
    const behind: Outbox[] = [];
    for (const member of this.#members) {
      const isBehind = this.#cursors.size > 0 && this.#cursors.has(member);
      if (member.isStalled || isBehind) behind.push(member);
      else member.write(frames);
    }
    if (behind.length === 0) return;
    if (lasting.length < texts.length) for (const member of behind) this.#spared.add(member);
    this.#keep(lasting === texts ? frames : encodeTextFrames(lasting), behind);
  }

  #keep(frames: Buffer, behind: readonly Outbox[]): void {
    const start = this.#end;
    this.#end += frames.length;
    const tooFar: Outbox[] = [];
    for (const member of behind) {
      const cursor = this.#cursors.get(member) ?? start;
      if (this.#end - cursor > this.#deps.maxLagBytes) tooFar.push(member);
      else this.#cursors.set(member, cursor);
    }
    if (this.#cursors.size > 0 && frames.length > 0) this.#chunks.push({ start, frames });
    for (const member of tooFar) member.giveUp();
    this.#forget();
  }

  catchUp(member: Outbox): boolean {
    const cursor = this.#cursors.get(member);
    if (cursor === undefined) return true;
    // One chunk at a time: the member may stall again after any of them.
    const chunk = this.#chunks.find(({ start }) => start >= cursor);
    if (chunk === undefined) {
      this.#cursors.delete(member);
      this.#forget();
      if (this.#spared.delete(member)) this.#update(member);
      return true;
    }
    this.#cursors.set(member, chunk.start + chunk.frames.length);
    member.write(chunk.frames);
    return false;
  }

  #update(member: Outbox): void {
    const texts = this.#deps.present();
    if (texts.length > 0) member.write(encodeTextFrames(texts));
  }

  #forget(): void {
    const first = Math.min(...this.#cursors.values());
    const keepFrom = this.#chunks.findIndex((chunk) => chunk.start >= first);
    if (keepFrom === -1) this.#chunks = [];
    else if (keepFrom > 0) this.#chunks.splice(0, keepFrom);
  }
}
