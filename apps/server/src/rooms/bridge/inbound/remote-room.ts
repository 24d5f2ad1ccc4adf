/**
 * The bridge room on a node that does not direct: its plugins talk with the room of the director, frame by frame.
 *
 *   plugin -- socket -- this node -- calls -- the director's room -- Claude Code's session
 *
 * Where the director is gone or does not answer, the plugin is told to try later, and comes back to whoever directs then.
 */
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import type { Principal } from "../../../access/principal.ts";
import type { CallHandler, CallOptions } from "../../../cluster/calls.ts";
import type { Cluster } from "../../../cluster/cluster.ts";
import { watchGone } from "../../../cluster/watch-gone.ts";
import type { Peer, PeerSession, Room } from "../../../sockets/peer.ts";

export interface RemoteRoomDeps {
  readonly cluster: Pick<Cluster, "node" | "members" | "onChange" | "director" | "lease">;
  readonly calls: {
    serve(name: string, handler: CallHandler): void;
    call(
      node: string,
      name: string,
      args: unknown,
      options: CallOptions,
    ): Promise<Outcome<unknown>>;
  };
}

/** From the node of the plugin to the director. */
type Upward =
  | { readonly type: "open"; readonly address: string; readonly isLocal: boolean }
  | { readonly type: "frame"; readonly text: string }
  | { readonly type: "closed" };

/** From the director to the node of the plugin. */
type Downward =
  | { readonly type: "frame"; readonly text: string }
  | { readonly type: "admit"; readonly principal: Omit<Principal, "isOfAgent"> }
  | { readonly type: "close"; readonly code: number; readonly reason: string };

interface Passage<Move> {
  readonly id: string;
  /** The other node. */
  readonly node: string;
  readonly move: Move;
}

const UP = "bridge.up";
const DOWN = "bridge.down";
const OPTIONS: CallOptions = { timeoutMs: 10_000 };

/** The same room where this node directs. */
export class RemoteRoom implements Room, Disposable {
  readonly #room: Room;
  readonly #deps: RemoteRoomDeps;
  readonly #watch: Disposable;
  /** Plugins of this node whose session is at a director. */
  readonly #plugins = new Map<string, { readonly peer: Peer; readonly director: string }>();
  /** Sessions of this node whose plugin is connected to another. */
  readonly #sessions = new Map<string, { readonly session: PeerSession; readonly node: string }>();

  constructor(room: Room, deps: RemoteRoomDeps) {
    this.#room = room;
    this.#deps = deps;
    const { cluster, calls } = deps;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put together by `#pass`
    calls.serve(UP, (args) => this.#takeUp(args as Passage<Upward>));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- put together by `#pass`
    calls.serve(DOWN, (args) => this.#takeDown(args as Passage<Downward>));
    this.#watch = watchGone(cluster, (gone) => {
      for (const [id, { director }] of this.#plugins) {
        if (director === gone) this.#drop(id, `${gone}, which directed, is gone; try again`);
      }
      for (const [id, { node }] of this.#sessions) if (node === gone) this.#leave(id);
    });
  }

  open(peer: Peer): PeerSession {
    const { cluster } = this.#deps;
    if (cluster.lease.isHeld) return this.#room.open(peer);
    // One that was not heard yet could go unheard, too.
    const director = cluster.members().find(({ node }) => node === cluster.director());
    const { id, address, isLocal } = peer;
    if (director === undefined) {
      peer.close(CLOSE.tryLater, "no node directs for the moment; try again");
      return { receive: () => undefined, closed: () => undefined };
    }
    const { node, url } = director;
    this.#plugins.set(id, { peer, director: node });
    const up = async (move: Upward): Promise<void> => {
      const { ok } = await this.#pass(node, UP, id, move);
      if (!ok) this.#drop(id, `the node that directs (${url}) does not answer; try again`);
    };
    void up({ type: "open", address, isLocal });
    return {
      receive: (text) => void up({ type: "frame", text }),
      closed: () => {
        if (this.#plugins.delete(id)) void up({ type: "closed" });
      },
    };
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  async #takeUp({ id, node, move }: Passage<Upward>): Promise<Outcome<unknown>> {
    if (!this.#deps.cluster.lease.isHeld) return refuse("cluster.leaderless");
    if (move.type === "open") {
      const { address, isLocal } = move;
      const peer = this.#peerOf(id, node, { address, isLocal });
      this.#sessions.set(id, { session: this.#room.open(peer), node });
    } else if (move.type === "closed") this.#leave(id);
    else {
      const found = this.#sessions.get(id);
      if (found === undefined) return refuse("cluster.silent", node);
      await found.session.receive(move.text);
    }
    return accept(undefined);
  }

  #takeDown({ id, node, move }: Passage<Downward>): Promise<Outcome<unknown>> {
    const peer = this.#plugins.get(id)?.peer;
    if (peer === undefined) return Promise.resolve(refuse("cluster.silent", node));
    if (move.type === "frame") peer.send(move.text);
    else if (move.type === "admit") peer.admit(move.principal);
    else {
      this.#plugins.delete(id);
      peer.close(move.code, move.reason);
    }
    return Promise.resolve(accept(undefined));
  }

  /** A plugin that is connected to another node. */
  #peerOf(id: string, node: string, origin: Pick<Peer, "address" | "isLocal">): Peer {
    const send = async (move: Downward): Promise<void> => {
      const { ok } = await this.#pass(node, DOWN, id, move);
      if (!ok) this.#leave(id);
    };
    return {
      id,
      ...origin,
      shown: undefined,
      send: (text) => void send({ type: "frame", text }),
      room: () => Promise.resolve(),
      close: (code, reason) => {
        this.#sessions.delete(id);
        void send({ type: "close", code, reason });
      },
      admit: ({ credential, address, isLocal }) =>
        void send({ type: "admit", principal: { credential, address, isLocal } }),
      join: noAudience,
      leave: noAudience,
    };
  }

  #pass(to: string, name: string, id: string, move: Upward | Downward): Promise<Outcome<unknown>> {
    const { calls, cluster } = this.#deps;
    return calls.call(to, name, { id, node: cluster.node, move }, OPTIONS);
  }

  #drop(id: string, reason: string): void {
    const plugin = this.#plugins.get(id);
    this.#plugins.delete(id);
    plugin?.peer.close(CLOSE.tryLater, reason);
  }

  #leave(id: string): void {
    const found = this.#sessions.get(id);
    this.#sessions.delete(id);
    found?.session.closed();
  }
}

function noAudience(): never {
  throw new Fault("a plugin has no audience");
}
