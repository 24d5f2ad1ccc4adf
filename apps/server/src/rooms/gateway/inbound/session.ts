/**
 * One gateway connection, from challenge to close.
 *
 *   waiting --connect--> connecting --admitted--> ready --> closed
 *      \                     \
 *       `--anything else------`--denied--> closed
 *
 * The session knows the order of frames and nothing else: who may come in is the handshake's business,
 * what a method does is the call's.
 */
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import { Compile } from "@atrium/schema";
import { CLOSE, readJson } from "@atrium/wire";
import {
  connect,
  connectChallenge,
  effectiveScopes,
  NODE_SCOPE,
  RequestFrame,
  type ConnectParams,
  type ErrorShape,
} from "@atrium/wire/gateway";
import type { Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import { DeferredResult, type CallMethod } from "../../../pipeline/method-router.ts";
import { describeIssues } from "../../../platform/issues.ts";
import { type Peer, type PeerSession } from "../../../sockets/peer.ts";
import { encodeReply, encodeEvent } from "../frames/encode.ts";
import { invalid } from "../frames/error-shape.ts";
import { type GatewayPeer, type GatewayCaller } from "../frames/peer.ts";
import type { Admission } from "../frames/peer.ts";
import type { Challenge, Handshake } from "./handshake.ts";

export interface GatewaySessionDeps {
  readonly handshake: Handshake;
  readonly call: CallMethod<GatewayCaller>;
  readonly newChallenge: () => Challenge;
  readonly now: () => number;
  /** The peer is in: makes it one of the audience and returns its hello-ok as text. */
  readonly welcome: (member: GatewayPeer) => string;
  readonly farewell: (peerId: string) => void;
  readonly report: (fault: Fault) => void;
}

type State =
  | { readonly state: "waiting"; readonly challenge: Challenge }
  /** Frames that came while the handshake is being decided are answered after it, in order. */
  | { readonly state: "connecting"; readonly early: string[] }
  | { readonly state: "ready" }
  | { readonly state: "closed" };

interface Unreadable {
  readonly id: string;
  readonly problem: string;
}

const MAX_EARLY_FRAMES = 15;
const checkRequest = Compile(RequestFrame);
const checkConnect = Compile(connect.params);

export class GatewaySession implements PeerSession, GatewayCaller {
  readonly #peer: Peer;
  readonly #deps: GatewaySessionDeps;
  readonly #complaints: ErrorDetailBudget;
  #session: State;
  #member: GatewayPeer | undefined;

  constructor(peer: Peer, deps: GatewaySessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    this.#complaints = new ErrorDetailBudget(deps.now);
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
        return this.#answer(text);
      case "closed":
        return undefined;
    }
  }

  closed(): void {
    if (this.#session.state === "ready") this.#deps.farewell(this.#peer.id);
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

  allowsErrorDetail(): boolean {
    return this.#complaints.allowsDetail();
  }

  #begin(text: string, challenge: Challenge): void | Promise<void> {
    const frame = this.#read(text);
    if ("problem" in frame) return this.#deny(frame.id, invalid(frame.problem));
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
    this.#session = { state: "ready" };
  }

  #answer(text: string): void | Promise<void> {
    const peer = this.#peer;
    const frame = this.#read(text);
    if ("problem" in frame) {
      peer.send(refusal(frame.id, invalid(frame.problem)));
      return this.#checkPatience();
    }
    const { id, method } = frame;
    if (method === connect.name) {
      return peer.send(refusal(id, invalid("connect is only valid as the first request")));
    }
    const outcome = this.#deps.call(method, frame.params, this);
    if (outcome instanceof Promise) return outcome.then((done) => this.#reply(id, method, done));
    this.#reply(id, method, outcome);
    return outcome.ok ? undefined : this.#checkPatience();
  }

  #reply(id: string, method: string, outcome: Outcome<unknown>): void {
    if (!outcome.ok || !(outcome.value instanceof DeferredResult)) {
      this.#peer.send(encodeReply(id, method, outcome));
      return;
    }
    const { accepted, finished } = outcome.value;
    this.#peer.send(encodeReply(id, method, accept(accepted)));
    finished.then(
      (done) => this.#peer.send(encodeReply(id, method, done)),
      (cause: unknown) => {
        this.#deps.report(new Fault("a method threw", { method }, cause));
        this.#peer.send(encodeReply(id, method, refuse("internal")));
      },
    );
  }

  #checkPatience(): void {
    if (this.#complaints.isExhausted) this.#peer.close(CLOSE.policy, "too many invalid frames");
  }

  #read(text: string): RequestFrame | Unreadable {
    const { value: frame, problem } = readJson(text);
    if (problem !== undefined) {
      const { short, long } = problem;
      return { id: idOf(frame), problem: badFrame(this.allowsErrorDetail() ? long : short) };
    }
    if (checkRequest.Check(frame)) return frame;
    const why = this.allowsErrorDetail() ? describeIssues(checkRequest.Errors(frame)) : "";
    return { id: idOf(frame), problem: badFrame(why) };
  }

  #deny(id: string, error: ErrorShape, code: number = CLOSE.policy): void {
    this.#peer.send(refusal(id, error));
    this.#peer.close(code, error.message);
  }
}

function refusal(id: string, error: ErrorShape): string {
  return JSON.stringify({ type: "res", id, ok: false, error });
}

function badFrame(why: string): string {
  return why === "" ? "invalid request frame" : `invalid request frame: ${why}`;
}

function idOf(frame: unknown): string {
  const isNamed = typeof frame === "object" && frame !== null && "id" in frame;
  return isNamed && typeof frame.id === "string" && frame.id !== "" ? frame.id : "invalid";
}
