/**
 * The world as this client has seen it: the latest snapshot with the goals that came after it, what agents
 * are saying, and how far in the timeline that is.
 */
import type { WorldMessageOf } from "@atrium/wire/world";
import type { ServerMessage } from "./message.ts";
import { SeenIds } from "./seen-ids.ts";

export type Snapshot = WorldMessageOf<"snapshot">["payload"];
export type AgentGoal = WorldMessageOf<"agent_goal">["payload"];

export interface StreamSoFar {
  readonly text: string;
  readonly seq: number;
}

export interface Cursor {
  readonly last_seq: number;
  readonly last_snapshot_id?: string;
  readonly scene_id: string;
  readonly epoch: string;
}

export class WorldState {
  #snapshot: Snapshot | null = null;
  #snapshotId: string | undefined;
  #epoch: string | undefined;
  #seq = 0;
  readonly #goals = new Map<string, AgentGoal>();
  readonly #streams = new Map<string, StreamSoFar>();
  /** Of messages from the log, which keep their ids however often they are sent. */
  readonly #timelineIds = new SeenIds();
  /** Of all other messages: another connection may use these ids again. */
  readonly #connectionIds = new SeenIds();

  get snapshot(): Snapshot | null {
    return this.#snapshot;
  }

  /** Where each agent was last sent. */
  get goals(): ReadonlyMap<string, AgentGoal> {
    return this.#goals;
  }

  /** What is being said right now, by stream. */
  get streams(): ReadonlyMap<string, StreamSoFar> {
    return this.#streams;
  }

  /** From where to go on after the connection was lost; undefined when nothing has been seen yet. */
  get cursor(): Cursor | undefined {
    if (this.#snapshot === null || this.#epoch === undefined) return undefined;
    return {
      last_seq: this.#seq,
      ...(this.#snapshotId !== undefined && { last_snapshot_id: this.#snapshotId }),
      scene_id: this.#snapshot.scene_id,
      epoch: this.#epoch,
    };
  }

  /** A new connection, over which nothing has arrived yet. */
  opened(): void {
    this.#connectionIds.clear();
  }

  /** The server has accepted the new connection and sends streams from their beginning. */
  reconnected(): void {
    this.#streams.clear();
  }

  /** What came before is no longer part of the timeline: the next snapshot is where it begins. */
  restart(): void {
    this.#seq = 0;
    this.#goals.clear();
    this.#timelineIds.clear();
  }

  /** False when it was seen before and must not be passed on. */
  take(message: ServerMessage): boolean {
    switch (message.type) {
      case "event":
      case "chat":
        return this.#timelineIds.add(message.id) && this.#isNew(message.payload.seq);
      case "agent_goal": {
        const isNew = this.#timelineIds.add(message.id) && this.#isNew(message.payload.seq);
        if (isNew) this.#goals.set(message.payload.agent_id, message.payload);
        return isNew;
      }
      case "snapshot":
        if (!this.#connectionIds.add(message.id)) return false;
        this.#applySnapshot(message);
        return true;
      case "agent_stream":
        return this.#connectionIds.add(message.id) && this.#appendStream(message.payload);
      case "hello_ack":
      case "ack":
      case "error":
      case "pong":
        return this.#connectionIds.add(message.id);
    }
  }

  /** Messages for this connection alone have no number. */
  #isNew(seq: number | undefined): boolean {
    if (seq === undefined) return true;
    if (seq <= this.#seq) return false;
    this.#seq = seq;
    return true;
  }

  #applySnapshot({ id, payload }: WorldMessageOf<"snapshot">): void {
    this.#snapshot = payload;
    this.#snapshotId = id;
    this.#epoch = payload.epoch;
    this.#seq = Math.max(this.#seq, payload.seq);
    const present = new Set(payload.agents.map(({ agent_id }) => agent_id));
    for (const agentId of this.#goals.keys()) {
      if (!present.has(agentId)) this.#goals.delete(agentId);
    }
  }

  #appendStream(payload: WorldMessageOf<"agent_stream">["payload"]): boolean {
    const { stream_id: id, seq, delta, done } = payload;
    const before = this.#streams.get(id);
    if (before !== undefined && seq <= before.seq) return false;
    if (done) this.#streams.delete(id);
    else this.#streams.set(id, { text: (before?.text ?? "") + delta, seq });
    return true;
  }
}
