/**
 * One client of the world, from hello to close.
 *
 *   greeting --hello--> greeted --subscribe--> subscribed --subscribe--> subscribed
 *       \                  \
 *        `--anything else   `--command --> NOT_ALLOWED, and it stays
 *            closes
 *
 * The hello is decided here; what follows goes through the session loop. Whoever says nothing for too long is closed.
 */
import {
  accept,
  Fault,
  TokenBucket,
  type BucketRules,
  type Clock,
  type Outcome,
} from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import { WORLD_CLOSE, WORLD_VERSIONS, type WorldClientMessage } from "@atrium/wire/world";
import { isAuthFailure, type Authenticate } from "../../../access/authenticate.ts";
import type { Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import type { CallMethod } from "../../../pipeline/method-router.ts";
import {
  openSession,
  type SessionProtocol,
  UnreadableMessage,
} from "../../../pipeline/session-loop.ts";
import { cleanText } from "../../../platform/clean-text.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { Peer, PeerSession } from "../../../sockets/peer.ts";
import type { MessageOf, ViewerIdentity, WorldCaller } from "../commands/command-context.ts";
import { answer, message, type MessagePayload, type CommandProblem } from "../messages/message.ts";
import { agreeOnVersion } from "../messages/versions.ts";
import type { WorldEgress } from "../outbound/egress.ts";
import type { Cursor, ResumeDecision } from "../outbound/resume.ts";
import { createCommandSteps, deny, tooMuch } from "./command-steps.ts";
import { invalid } from "./protocol.ts";

export interface WorldSessionDeps {
  readonly authenticate: Authenticate;
  readonly protocol: SessionProtocol<WorldClientMessage>;
  readonly call: CallMethod<WorldCaller>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: { readonly worldSilenceMs: number };
  readonly commandRules: BucketRules;
  readonly playerRules: BucketRules;
  readonly nextNumber: () => string;
  readonly welcome: (
    sessionId: string,
    resume: ResumeDecision | undefined,
  ) => MessagePayload<"hello_ack">;
  readonly egress: Pick<WorldEgress, "resumeFrom" | "subscribe">;
  readonly hasScene: (sceneId: string) => boolean;
  readonly onLeft: (viewerId: string) => void;
}

type State =
  | { readonly state: "greeting" }
  | { readonly state: "greeted"; readonly cursor: Cursor | undefined }
  | { readonly state: "subscribed"; readonly leave: () => void }
  | { readonly state: "closed" };

const STRANGER = "someone";

export class WorldSession implements PeerSession, WorldCaller {
  readonly scopes: ReadonlySet<string> = new Set();
  readonly #peer: Peer;
  readonly #deps: WorldSessionDeps;
  readonly errorBudget: ErrorDetailBudget;
  readonly #commands: TokenBucket;
  readonly #playerPositions: TokenBucket;
  #session: State = { state: "greeting" };
  #loop: PeerSession | undefined;
  #viewer: ViewerIdentity = { viewerId: "", name: STRANGER };
  #principal: Principal | undefined;
  #lastMessageAt: number;
  #cancelWatch: (() => void) | undefined;

  constructor(peer: Peer, deps: WorldSessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    const now = (): number => deps.clock.now();
    this.#lastMessageAt = now();
    this.errorBudget = new ErrorDetailBudget(now);
    this.#commands = new TokenBucket(deps.commandRules, now);
    this.#playerPositions = new TokenBucket(deps.playerRules, now);
  }

  receive(text: string): void | Promise<void> {
    if (this.#session.state === "closed") return undefined;
    this.#lastMessageAt = this.#deps.clock.now();
    if (this.#loop !== undefined) return this.#loop.receive(text);
    return this.#greet(this.#deps.protocol.read(text, () => this.errorBudget.allowsDetail()));
  }

  get viewer(): ViewerIdentity {
    return this.#viewer;
  }

  get principal(): Principal {
    if (this.#principal === undefined) throw new Fault("a call before the client said hello");
    return this.#principal;
  }

  subscribe({ scene_id: sceneId, channels }: MessageOf<"subscribe">["payload"]): Outcome<unknown> {
    const session = this.#session;
    const cursor = session.state === "greeted" ? session.cursor : undefined;
    // Each is answered with the whole state, so changing one's mind is measured like a command.
    const waitMs = session.state === "subscribed" ? this.#commands.take() : 0;
    const isTooMuch = tooMuch(waitMs);
    if (isTooMuch !== undefined) return isTooMuch;
    if (!this.#deps.hasScene(sceneId)) {
      return deny("NOT_FOUND", `There is no scene ${JSON.stringify(sceneId)}.`);
    }
    // First out of the old audience, so that what was said there comes before what follows.
    this.#leave();
    const leave = this.#deps.egress.subscribe(this.#peer, { channels, cursor });
    this.#session = { state: "subscribed", leave };
    return accept(undefined);
  }

  closed(): void {
    this.#leave();
    this.#loop?.closed();
    this.#deps.onLeft(this.#viewer.viewerId);
    this.#session = { state: "closed" };
    this.#cancelWatch?.();
  }

  #greet(received: WorldClientMessage | UnreadableMessage): void {
    if (received instanceof UnreadableMessage || received.type !== "hello") {
      const what =
        received instanceof UnreadableMessage ? received.problem : `not ${received.type}`;
      this.#answer(received.id, invalid(`the first message must be a hello: ${what}`));
      return this.#close(WORLD_CLOSE.notHello, "the first message must be a hello");
    }
    const { id, payload } = received;
    const { address, isLocal, isOfAgent } = this.#peer;
    const token = payload.auth?.token;
    const shown = token === undefined ? this.#peer.shown : ({ kind: "token", token } as const);
    const door = "world";
    const principal = this.#deps.authenticate({ address, isLocal, isOfAgent, door, shown });
    if (isAuthFailure(principal)) {
      const { reason, waitMs } = principal;
      this.#answer(id, { code: "NOT_ALLOWED", message: reason });
      return this.#close(waitMs > 0 ? CLOSE.tryLater : WORLD_CLOSE.unwelcome, reason);
    }
    if (agreeOnVersion(received) === undefined) {
      const supportedVersions = WORLD_VERSIONS;
      const text = `This server speaks version ${supportedVersions.join(", ")} of the world protocol; use a client that does too.`;
      this.#answer(id, { code: "PROTOCOL_VERSION_UNSUPPORTED", message: text, supportedVersions });
      return this.#close(WORLD_CLOSE.unsupportedVersion, "protocol version unsupported");
    }
    return this.#welcome(received, principal);
  }

  #welcome({ payload }: MessageOf<"hello">, principal: Principal): void {
    this.#principal = principal;
    this.#peer.admit(principal);
    const cursor = payload.resume;
    this.#session = { state: "greeted", cursor };
    const number = this.#deps.nextNumber();
    const viewerId = `sess_${number}`;
    this.#viewer = { viewerId, name: cleanText(payload.client?.name ?? "") || STRANGER };
    this.#loop = this.#openLoop();
    const ack = this.#deps.welcome(viewerId, cursor && this.#deps.egress.resumeFrom(cursor));
    const stamp = { id: `hello_${number}`, ts: this.#deps.clock.now() };
    this.#peer.send(message("hello_ack", stamp, ack));
    this.#watch();
  }

  #openLoop(): PeerSession {
    const peer = {
      send: (text: string): void => this.#peer.send(text),
      close: (code: number, reason: string): void => this.#close(code, reason),
    };
    const call = createCommandSteps({
      call: this.#deps.call,
      isSubscribed: () => this.#session.state === "subscribed",
      commands: this.#commands,
      playerPositions: this.#playerPositions,
    });
    return openSession(peer, this.#deps.protocol, this, call);
  }

  #answer(inReplyTo: string | undefined, problem: CommandProblem): void {
    const stamp = { number: this.#deps.nextNumber(), ts: this.#deps.clock.now() };
    this.#peer.send(answer(stamp, inReplyTo, problem));
  }

  #watch(): void {
    const { timers, clock } = this.#deps;
    const silenceMs = this.#deps.limits.worldSilenceMs;
    const quietMs = clock.now() - this.#lastMessageAt;
    if (quietMs >= silenceMs) return this.#close(WORLD_CLOSE.silent, "nothing heard for too long");
    this.#cancelWatch = timers.after(silenceMs - quietMs, () => this.#watch());
  }

  #leave(): void {
    if (this.#session.state === "subscribed") this.#session.leave();
  }

  #close(code: number, reason: string): void {
    this.closed();
    this.#peer.close(code, reason);
  }
}
