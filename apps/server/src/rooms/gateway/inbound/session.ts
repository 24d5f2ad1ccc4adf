/**
 * One gateway connection, from challenge to close.
 *
 *   waiting --connect--> connecting --admitted--> ready --> closed
 *      \                     \
 *       `--anything else------`--denied--> closed
 *
 * The handshake decides who is admitted; what a connected peer sends goes through the session loop.
 */
import { Fault } from "@atrium/core";
import { Compile } from "@atrium/schema";
import { CLOSE } from "@atrium/wire";
import {
  connect,
  connectChallenge,
  effectiveScopes,
  NODE_SCOPE,
  type ConnectParams,
  type ErrorShape,
} from "@atrium/wire/gateway";
import type { Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import type { CallMethod } from "../../../pipeline/method-router.ts";
import {
  openSession,
  UnreadableMessage,
  type SessionCaller,
} from "../../../pipeline/session-loop.ts";
import { describeIssues } from "../../../platform/issues.ts";
import { type Peer, type PeerSession } from "../../../sockets/peer.ts";
import { encodeEvent } from "../frames/encode.ts";
import { invalid } from "../frames/error-shape.ts";
import type { Admission, GatewayCaller, GatewayPeer } from "../frames/peer.ts";
import type { Challenge, Handshake } from "./handshake.ts";
import { gatewayProtocol, readRequest } from "./protocol.ts";

export interface GatewaySessionDeps {
  readonly handshake: Handshake;
  readonly call: CallMethod<GatewayCaller>;
  readonly newChallenge: () => Challenge;
  readonly now: () => number;
  /** Called for an admitted peer: adds it to its audience and returns its hello-ok as text. */
  readonly welcome: (member: GatewayPeer) => string;
  readonly farewell: (peerId: string) => void;
  readonly report: (fault: Fault) => void;
}

type State =
  | { readonly state: "waiting"; readonly challenge: Challenge }
  /** Frames that arrive while the handshake is being decided are answered after it, in order. */
  | { readonly state: "connecting"; readonly early: string[] }
  | { readonly state: "ready"; readonly loop: PeerSession }
  | { readonly state: "closed" };

const MAX_EARLY_FRAMES = 15;
const checkConnect = Compile(connect.params);

export class GatewaySession implements PeerSession, GatewayCaller, SessionCaller {
  readonly #peer: Peer;
  readonly #deps: GatewaySessionDeps;
  readonly errorBudget: ErrorDetailBudget;
  #session: State;
  #member: GatewayPeer | undefined;

  constructor(peer: Peer, deps: GatewaySessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    this.errorBudget = new ErrorDetailBudget(deps.now);
    const challenge = deps.newChallenge();
    this.#session = { state: "waiting", challenge };
    peer.send(encodeEvent(connectChallenge, challenge));
  }

  receive(text: string): void | Promise<void> {
    const session = this.#session;
    switch (session.state) {
      case "waiting":
        return this.#begin(text, session.challenge);
      case "connecting":
        if (session.early.push(text) > MAX_EARLY_FRAMES) {
          this.#peer.close(CLOSE.policy, "too many pending handshake frames");
        }
        return undefined;
      case "ready":
        return session.loop.receive(text);
      case "closed":
        return undefined;
    }
  }

  closed(): void {
    if (this.#session.state === "ready") {
      this.#session.loop.closed();
      this.#deps.farewell(this.#peer.id);
    }
    this.#session = { state: "closed" };
  }

  get member(): GatewayPeer {
    if (this.#member === undefined) throw new Fault("a call before the peer was in");
    return this.#member;
  }

  get principal(): Principal {
    return this.member.principal;
  }

  get scopes(): ReadonlySet<string> {
    return this.member.scopes;
  }

  #begin(text: string, challenge: Challenge): void | Promise<void> {
    const frame = readRequest(text, () => this.errorBudget.allowsDetail());
    if (frame instanceof UnreadableMessage) {
      return this.#deny(frame.id ?? "invalid", invalid(frame.problem));
    }
    if (frame.method !== connect.name) {
      return this.#deny(frame.id, invalid("invalid handshake: first request must be connect"));
    }
    const params = frame.params ?? {};
    if (!checkConnect.Check(params)) {
      const why = describeIssues(checkConnect.Errors(params));
      return this.#deny(frame.id, invalid(`invalid connect params: ${why}`));
    }
    this.#session = { state: "connecting", early: [] };
    return this.#decide(frame.id, params, challenge);
  }

  async #decide(id: string, params: ConnectParams, challenge: Challenge): Promise<void> {
    try {
      const decision = await this.#deps.handshake(params, challenge, this.#peer);
      if (this.#session.state !== "connecting") return;
      const { early } = this.#session;
      if ("error" in decision) return this.#deny(id, decision.error, decision.closeCode);
      this.#enter(id, params, decision);
      for (const text of early) await this.receive(text);
    } catch (cause) {
      this.#deps.report(new Fault("the handshake threw", { peer: this.#peer.id }, cause));
      const error = { code: "UNAVAILABLE", message: "internal error", retryable: true };
      this.#deny(id, error, CLOSE.tryLater);
    }
  }

  #enter(id: string, params: ConnectParams, admission: Admission): void {
    const peer = this.#peer;
    const isNode = admission.role === "node";
    const scopes = isNode ? new Set([NODE_SCOPE]) : effectiveScopes(admission.scopes);
    const { address, isLocal, isOfAgent } = peer;
    const principal = { credential: admission.credential, address, isLocal, isOfAgent };
    const member = { peer, params, admission, principal, scopes, caps: new Set(params.caps) };
    this.#member = member;
    peer.admit(principal);
    const hello = this.#deps.welcome(member);
    peer.send(`{"type":"res","id":${JSON.stringify(id)},"ok":true,"payload":${hello}}`);
    const loop = openSession(peer, gatewayProtocol, this, this.#deps.call);
    this.#session = { state: "ready", loop };
  }

  #deny(id: string, error: ErrorShape, code: number = CLOSE.policy): void {
    this.#peer.send(refusal(id, error));
    this.#peer.close(code, error.message);
  }
}

function refusal(id: string, error: ErrorShape): string {
  return JSON.stringify({ type: "res", id, ok: false, error });
}
