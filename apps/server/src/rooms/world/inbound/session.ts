/**
 * One client of the world, from hello to close.
 *
 *   greeting --hello--> greeted --subscribe--> subscribed --subscribe--> subscribed
 *       \                  \
 *        `--anything else   `--command --> NOT_ALLOWED, and it stays
 *            closes
 *
 * It knows the order of messages; what commands do is elsewhere. Whoever says nothing for too long is closed.
 */
import {
  BoundedMap,
  Fault,
  refuse,
  TokenBucket,
  type BucketRules,
  type Clock,
  type Outcome,
} from "@atrium/core";
import { CLOSE } from "@atrium/wire";
import {
  WORLD_CLOSE,
  WORLD_COMMANDS,
  WORLD_VERSIONS,
  type WorldClientMessage,
  type WorldCommandName,
} from "@atrium/wire/world";
import { isAuthFailure, type Authenticate } from "../../../access/authenticate.ts";
import { answererFrom, type Principal } from "../../../access/principal.ts";
import { ErrorDetailBudget } from "../../../pipeline/error-detail-budget.ts";
import type { Timers } from "../../../platform/timers.ts";
import type { Peer, PeerSession } from "../../../sockets/peer.ts";
import { commandKey, type CommandKey } from "../commands/command-key.ts";
import type { ExecuteCommand } from "../commands/commands.ts";
import { cleanText } from "../messages/clean-text.ts";
import { answer, message, type MessagePayload, type CommandProblem } from "../messages/message.ts";
import { problemOf } from "../messages/problem.ts";
import type { MessageReader } from "../messages/read-message.ts";
import { agreeOnVersion } from "../messages/versions.ts";
import { type Subscription } from "../outbound/egress.ts";
import type { Cursor, ResumeDecision } from "../outbound/resume.ts";

export interface WorldSessionDeps {
  readonly doorkeeper: Authenticate;
  readonly reader: MessageReader;
  readonly carryOut: ExecuteCommand;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly silenceMs: number;
  readonly commandRules: BucketRules;
  readonly playerRules: BucketRules;
  /** A number nobody else has, for the ids of answers. */
  readonly nextNumber: () => string;
  readonly welcome: (
    sessionId: string,
    resume: ResumeDecision | undefined,
  ) => MessagePayload<"hello_ack">;
  readonly resumeFrom: (cursor: Cursor) => ResumeDecision;
  readonly hasScene: (sceneId: string) => boolean;
  /** Starts telling the peer; what it returns ends that. */
  readonly subscribe: (peer: Peer, wanted: Subscription) => () => void;
  /** A connection is gone, and with it whoever looked over it. */
  readonly onLeft: (viewerId: string) => void;
  readonly report: (fault: Fault) => void;
}

type MessageOf<Type extends WorldClientMessage["type"]> = Extract<
  WorldClientMessage,
  { type: Type }
>;

type State =
  | { readonly state: "greeting" }
  | { readonly state: "greeted"; readonly cursor: Cursor | undefined }
  | { readonly state: "subscribed"; readonly leave: () => void }
  | { readonly state: "closed" };

interface RememberedCommand {
  readonly digest: string;
  readonly answered: Promise<CommandProblem | undefined>;
}

/** How many of a connection's commands are remembered, to tell the same one from another under its id. */
const MAX_REMEMBERED = 512;
const STRANGER = "someone";

export class WorldSession implements PeerSession {
  readonly #peer: Peer;
  readonly #deps: WorldSessionDeps;
  readonly #complaints: ErrorDetailBudget;
  readonly #commands: TokenBucket;
  readonly #sightings: TokenBucket;
  readonly #asked = new BoundedMap<string, RememberedCommand>(MAX_REMEMBERED);
  #session: State = { state: "greeting" };
  #name = STRANGER;
  #viewerId = "";
  #principal: Principal | undefined;
  #heardAt: number;
  #cancelWatch: (() => void) | undefined;

  constructor(peer: Peer, deps: WorldSessionDeps) {
    this.#peer = peer;
    this.#deps = deps;
    const now = (): number => deps.clock.now();
    this.#heardAt = now();
    this.#complaints = new ErrorDetailBudget(now);
    this.#commands = new TokenBucket(deps.commandRules, now);
    this.#sightings = new TokenBucket(deps.playerRules, now);
  }

  receive(text: string): void | Promise<void> {
    if (this.#session.state === "closed") return undefined;
    this.#heardAt = this.#deps.clock.now();
    const received = this.#deps.reader.read(text, () => this.#complaints.allowsDetail());
    if (this.#session.state === "greeting") return this.#greet(received);
    if ("problem" in received) return this.#complain(received);
    return this.#take(received);
  }

  closed(): void {
    this.#leave();
    this.#deps.onLeft(this.#viewerId);
    this.#session = { state: "closed" };
    this.#cancelWatch?.();
  }

  #greet(
    received: WorldClientMessage | { readonly id: string | undefined; readonly problem: string },
  ): void {
    if ("problem" in received || received.type !== "hello") {
      const what = "problem" in received ? received.problem : `not ${received.type}`;
      this.#answer(received.id, invalid(`the first message must be a hello: ${what}`));
      return this.#close(WORLD_CLOSE.notHello, "the first message must be a hello");
    }
    const { id, payload } = received;
    const { address, isLocal, isOfAgent } = this.#peer;
    const token = payload.auth?.token;
    const shown = token === undefined ? this.#peer.shown : ({ kind: "token", token } as const);
    const door = "world";
    const principal = this.#deps.doorkeeper({ address, isLocal, isOfAgent, door, shown });
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
    this.#name = cleanText(payload.client?.name ?? "") || STRANGER;
    const cursor = payload.resume;
    this.#session = { state: "greeted", cursor };
    const number = this.#deps.nextNumber();
    this.#viewerId = `sess_${number}`;
    const ack = this.#deps.welcome(this.#viewerId, cursor && this.#deps.resumeFrom(cursor));
    const stamp = { id: `hello_${number}`, ts: this.#deps.clock.now() };
    this.#peer.send(message("hello_ack", stamp, ack));
    this.#watch();
  }

  #take(received: WorldClientMessage): void | Promise<void> {
    switch (received.type) {
      case "hello":
        return this.#answer(received.id, {
          code: "CONFLICT",
          message: "There has been a hello already.",
        });
      case "ping":
        return this.#pong(received);
      case "subscribe":
        return this.#subscribe(received);
      case "command": {
        const { name, data } = received.payload;
        return this.#command(received.id, name, data);
      }
      case "chat":
        return this.#command(received.id, "chat", received.payload);
    }
  }

  #pong({ id, payload: { nonce } }: MessageOf<"ping">): void {
    const stamp = { id: `pong_${this.#deps.nextNumber()}`, ts: this.#deps.clock.now() };
    const payload = { in_reply_to: id, ...(nonce !== undefined && { nonce }) };
    this.#peer.send(message("pong", stamp, payload));
  }

  #subscribe({ id, payload }: MessageOf<"subscribe">): void {
    const session = this.#session;
    const cursor = session.state === "greeted" ? session.cursor : undefined;
    const { scene_id: sceneId, channels } = payload;
    // Each is answered with the whole state, so changing one's mind is measured like a command.
    const waitMs = session.state === "subscribed" ? this.#commands.take() : 0;
    if (waitMs > 0) return this.#answer(id, tooMuch(waitMs));
    if (!this.#deps.hasScene(sceneId)) {
      return this.#answer(id, {
        code: "NOT_FOUND",
        message: `There is no scene ${JSON.stringify(sceneId)}.`,
      });
    }
    // First out of the old audience, so that what was said there comes before what follows.
    this.#leave();
    const leave = this.#deps.subscribe(this.#peer, { channels, cursor });
    this.#session = { state: "subscribed", leave };
  }

  async #command(id: string, name: string, data: unknown): Promise<void> {
    const problem = await this.#judge(id, name, data);
    if (this.#session.state !== "closed") this.#answer(id, problem);
  }

  #judge(
    id: string,
    name: string,
    data: unknown,
  ): Promise<CommandProblem | undefined> | CommandProblem {
    if (this.#session.state !== "subscribed") {
      return { code: "NOT_ALLOWED", message: "Subscribe to a scene first." };
    }
    if (!isCommand(name)) {
      return invalid(`/payload/name: must be one of ${Object.keys(WORLD_COMMANDS).join(", ")}`);
    }
    const key = commandKey(id, name, data);
    if (name === "player_pos") return this.#try(name, data, key);
    const before = this.#asked.get(id);
    if (before !== undefined) {
      if (before.digest === key.digest) return before.answered;
      return {
        code: "CONFLICT",
        message: `Another command was sent as ${JSON.stringify(id)} before.`,
      };
    }
    const answered = Promise.resolve(this.#try(name, data, key));
    this.#remember(id, { digest: key.digest, answered });
    return answered;
  }

  #try(
    name: WorldCommandName,
    data: unknown,
    key: CommandKey,
  ): Promise<CommandProblem | undefined> | CommandProblem {
    const allowance = name === "player_pos" ? this.#sightings : this.#commands;
    const waitMs = allowance.take();
    if (waitMs > 0) {
      return tooMuch(waitMs);
    }
    const flaw = this.#deps.reader.flaw(name, data, () => this.#complaints.allowsDetail());
    if (flaw !== undefined) return invalid(flaw);
    return this.#carryOut(name, data, key);
  }

  async #carryOut(
    name: WorldCommandName,
    data: unknown,
    key: CommandKey,
  ): Promise<CommandProblem | undefined> {
    const { carryOut, report } = this.#deps;
    const principal = this.#principal;
    if (principal === undefined) return { code: "NOT_ALLOWED", message: "Say hello first." };
    const by = answererFrom(principal, { id: key.id, name: this.#name, via: "world" });
    const viewer = { viewerId: this.#viewerId, name: this.#name };
    let outcome: Outcome<unknown>;
    try {
      outcome = await carryOut(name, data, { key, by, principal, viewer });
    } catch (cause) {
      report(new Fault("a world command threw", { command: name }, cause));
      outcome = refuse("internal");
    }
    return outcome.ok ? undefined : problemOf(outcome);
  }

  /** A refusal that passes is not kept: trying again later must be possible. */
  async #forgetIfPassing(id: string, { answered }: RememberedCommand): Promise<void> {
    const problem = await answered;
    if (problem?.code === "RATE_LIMITED" || problem?.code === "INTERNAL") this.#asked.delete(id);
  }

  #remember(id: string, asked: RememberedCommand): void {
    this.#asked.set(id, asked);
    void this.#forgetIfPassing(id, asked);
  }

  #complain({ id, problem }: { readonly id: string | undefined; readonly problem: string }): void {
    this.#answer(id, invalid(problem));
    if (this.#complaints.isExhausted) this.#close(CLOSE.policy, "too many unreadable messages");
  }

  #answer(inReplyTo: string | undefined, problem: CommandProblem | undefined): void {
    const stamp = { number: this.#deps.nextNumber(), ts: this.#deps.clock.now() };
    this.#peer.send(answer(stamp, inReplyTo, problem));
  }

  #watch(): void {
    const { silenceMs, timers, clock } = this.#deps;
    const quietMs = clock.now() - this.#heardAt;
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

function tooMuch(waitMs: number): CommandProblem {
  return { code: "RATE_LIMITED", message: `Too much at once; try again in ${waitMs} ms.` };
}

function invalid(text: string): CommandProblem {
  return { code: "VALIDATION_FAILED", message: text };
}

function isCommand(name: string): name is WorldCommandName {
  return Object.hasOwn(WORLD_COMMANDS, name);
}
