/**
 * The bridge transport: a program that speaks the bridge's frames and nothing else, started by us or by hand.
 *
 *   say, steering --> inbound_message          tool_call reply --> the answer, which ends the turn
 *   answers <------- permission_reply          permission_request --> people
 *
 * Whether it is connected makes no difference to a turn: what is said waits for it. A message whose turn is over is taken
 * back if it has not been sent. What the program replies when nobody waits is said in the conversation, within a rate.
 */
import { BoundedMap } from "@atrium/core";
import type {
  PermissionAnswer,
  PermissionRequest,
  ToolResult,
  TurnHost,
  TurnInbound,
} from "../../turn/agent-runtime.ts";
import {
  inboundToolMessage,
  type BridgedRequest,
  type DroppedToolMessage,
  type McpToolServer,
} from "../../turn/mcp-tool-server.ts";
import { redactDeep } from "../../turn/redact.ts";
import type { PoolDeps } from "../process/process-pool.ts";
import { readReply, REPLY, type BridgeReply } from "../protocol/bridge-reply.ts";
import type { ClaudeProcess, ClaudePrompt, ProcessEvent } from "../protocol/claude-process.ts";
import { quote } from "../protocol/turn-ending.ts";
import { createBridgePermissions, type BridgePermissions } from "./bridge-permissions.ts";
import { createInboundFiles, type InboundFiles } from "./inbound-files.ts";

/** What a program may do beside a turn. */
export interface BridgePorts {
  readonly ask: (
    request: PermissionRequest,
    runId: string | null,
    signal: AbortSignal,
  ) => Promise<PermissionAnswer>;
  readonly speak: (text: string) => Promise<ToolResult>;
  /** Resolves once the run's end is written down. */
  readonly settled: (runId: string) => Promise<void>;
}

export interface BridgedDeps extends BridgePorts, PoolDeps {
  readonly conversationKey: string;
  readonly cwd: string | undefined;
  readonly secrets: ReadonlySet<string>;
}

export interface BridgedProgram {
  readonly pid: number | undefined;
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

interface BridgedTurn {
  readonly runId: string | null;
  readonly messages: Map<string, string>;
  dropped: number;
  readonly over: () => void;
}

const AWAY_MS = 5_000;
const MAX_WITHDRAWN = 1_000;
/** Replies that answer nothing: so many at once, and one more each interval. */
const UNASKED = { most: 20, intervalMs: 3_000 };
/** Told one by one; the rest is counted. */
const MAX_TOLD_DROPS = 20;

export class BridgedClaude implements ClaudeProcess {
  readonly survivesInterrupt = true;
  readonly ended: Promise<string>;
  isUsable = true;
  hasSpoken = false;
  readonly #deps: BridgedDeps;
  readonly #permissions: BridgePermissions;
  readonly #files: InboundFiles = createInboundFiles();
  readonly #withdrawn = new BoundedMap<string, true>(MAX_WITHDRAWN);
  readonly #gone = Promise.withResolvers<string>();
  #mcpServer: McpToolServer | undefined;
  #program: BridgedProgram | undefined;
  #host: TurnHost | undefined;
  #listener: ((event: ProcessEvent) => void) | undefined;
  #turn: BridgedTurn | undefined;
  #wasStopped = false;
  #delivering: Promise<void> = Promise.resolve();
  #calls = 0;
  #unasked = { left: UNASKED.most, at: 0 };

  constructor(deps: BridgedDeps) {
    this.#deps = deps;
    this.ended = this.#gone.promise;
    this.#permissions = createBridgePermissions({
      cwd: deps.cwd,
      ask: (request, signal) =>
        deps.ask(redactDeep(request, deps.secrets), this.#turn?.runId ?? null, signal),
      reply: (code, behavior) => this.#mcpServer?.replyPermission?.(code, behavior),
    });
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  get hasTakenPrompt(): boolean {
    return this.hasSpoken;
  }

  /** From here on it can be spoken with. Without a program, whoever starts it is someone else. */
  open(mcpServer: McpToolServer, program: BridgedProgram | undefined): void {
    this.#mcpServer = mcpServer;
    this.#program = program;
    if (program !== undefined) void this.#outlive(program);
  }

  attach(host: TurnHost | undefined): void {
    this.#host = host;
  }

  listen(listener: ((event: ProcessEvent) => void) | undefined): void {
    this.#listener = listener;
    if (listener === undefined) this.#endTurn();
  }

  say({ runId, messages = [] }: ClaudePrompt): void {
    this.#wasStopped = false;
    const stopSteering = this.#host?.onSteering?.(() => this.#steer()) ?? (() => undefined);
    const cancelAway = this.#deps.after(AWAY_MS, () => this.#tellAway());
    const over = (): void => {
      stopSteering();
      cancelAway();
    };
    this.#turn = { runId: runId ?? null, messages: new Map(), dropped: 0, over };
    this.#deliver(messages, this.#turn);
    this.#steer();
  }

  permit(): void {
    // Its permissions are asked for beside the turn.
  }

  interrupt(): void {
    this.#wasStopped = true;
    this.#permissions.denyAll();
    this.#endTurn();
    this.#listener?.({ type: "ended", ending: { how: "interrupted" } });
  }

  loseTools(): void {
    // It has no others to lose; whether it is connected is not the turn's business.
  }

  async stop(): Promise<void> {
    this.isUsable = false;
    this.#permissions.denyAll();
    await this.#program?.stop();
    await this.#files.remove();
  }

  connected(): void {
    this.hasSpoken = true;
    this.#steer();
  }

  onRequest(request: BridgedRequest): void {
    this.#permissions.onRequest(request);
  }

  dropped(id: string, { reason, mayHaveArrived }: DroppedToolMessage): void {
    const turn = this.#turn;
    const text = turn?.messages.get(id);
    if (turn === undefined || text === undefined || reason !== "overflow") return;
    turn.messages.delete(id);
    turn.dropped += 1;
    if (turn.dropped > MAX_TOLD_DROPS) return;
    const perhaps = mayHaveArrived ? " It may have arrived all the same." : "";
    const delta = `(Too many messages waited for the program that answers here, so this one was dropped: "${quote(text)}".${perhaps})\n\n`;
    this.#listener?.({ type: "text", delta });
  }

  /** `make` calls a tool of the turn's host. */
  async callTool(
    name: string,
    input: unknown,
    make?: (host: TurnHost) => Promise<ToolResult>,
  ): Promise<ToolResult> {
    if (name === REPLY) return this.#reply(input);
    const host = this.#host;
    if (this.#turn === undefined || host === undefined || make === undefined) {
      return objection(
        "No message is being answered, so only reply can be called. This tool was not called.",
      );
    }
    const id = `call_${++this.#calls}`;
    this.#listener?.({ type: "tool.called", id, name, input });
    const result = await make(host);
    this.#listener?.({ type: "tool.returned", id, ...result });
    return result;
  }

  async #reply(input: unknown): Promise<ToolResult> {
    const reply = readReply(input);
    if (typeof reply === "string") return objection(reply);
    const problem = this.#problemOf(reply);
    if (problem !== undefined) return objection(problem);
    const turn = this.#turn;
    const isAnswer =
      !reply.isMore && (reply.replyTo === undefined || turn?.messages.has(reply.replyTo) === true);
    if (turn === undefined || !isAnswer) return this.#speak(reply.text);
    const left = turn.dropped - MAX_TOLD_DROPS;
    const more = left > 0 ? `(${left} more messages were dropped.)\n\n` : "";
    const listener = this.#listener;
    // From here on it is between messages, whatever else it says.
    this.#turn = undefined;
    turn.over();
    listener?.({ type: "text", delta: `${more}${reply.text}` });
    listener?.({ type: "ended", ending: { how: "completed", stopReason: "stop" } });
    if (turn.runId !== null) await this.#deps.settled(turn.runId);
    return { text: JSON.stringify({ said: true }), isError: false };
  }

  #problemOf({ replyTo, chatId }: BridgeReply): string | undefined {
    const { conversationKey } = this.#deps;
    if (chatId !== undefined && chatId !== conversationKey) {
      return `This session serves only ${conversationKey}. Nothing was sent; leave chat_id out or use that one.`;
    }
    const isStopped =
      replyTo === undefined
        ? this.#turn === undefined && this.#wasStopped
        : this.#withdrawn.has(replyTo);
    return isStopped
      ? "A person stopped this message, and nobody waits for an answer. Nothing was sent."
      : undefined;
  }

  async #speak(text: string): Promise<ToolResult> {
    const { now, secrets, speak } = this.#deps;
    const gained = Math.floor((now() - this.#unasked.at) / UNASKED.intervalMs);
    if (gained > 0) {
      this.#unasked = { left: Math.min(UNASKED.most, this.#unasked.left + gained), at: now() };
    }
    if (this.#unasked.left === 0) return objection(TOO_MANY_REPLIES);
    this.#unasked.left -= 1;
    return speak(redactDeep(text, secrets));
  }

  /** One after the other, in the order they came. */
  #deliver(messages: readonly TurnInbound[], turn: BridgedTurn): void {
    for (const message of messages) {
      turn.messages.set(message.messageId, message.text);
      this.#delivering = this.#delivering
        .then(() => this.#deliverOne(message, turn))
        .catch((cause: unknown) => {
          const reason = `What came with the message could not be kept: ${String(cause)}`;
          const ending = { how: "failed", kind: "unavailable", reason } as const;
          this.#listener?.({ type: "ended", ending, isAtWork: true });
        });
    }
  }

  async #deliverOne(message: TurnInbound, turn: BridgedTurn): Promise<void> {
    const attachments = await this.#files.keep(message);
    // Over before it could be said.
    if (this.#turn !== turn) return;
    this.#mcpServer?.deliver?.(inboundToolMessage(message, attachments));
  }

  /** One of ours must have come in once: what is taken before would be lost with it. */
  #steer(): void {
    const turn = this.#turn;
    if (turn === undefined || (this.#program !== undefined && !this.hasSpoken)) return;
    this.#deliver(this.#host?.takeMessages?.() ?? [], turn);
  }

  async #outlive({ ended }: BridgedProgram): Promise<void> {
    const why = await ended;
    this.isUsable = false;
    this.#permissions.denyAll();
    await this.#files.remove();
    this.#listener?.({ type: "gone", why });
    this.#gone.resolve(why);
  }

  #tellAway(): void {
    if (this.#turn === undefined || this.#mcpServer?.isConnected === true) return;
    this.#listener?.({ type: "retrying", attempt: 1, reason: AWAY });
  }

  #endTurn(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    if (turn === undefined) return;
    turn.over();
    for (const id of turn.messages.keys()) {
      this.#mcpServer?.withdraw?.(id);
      this.#withdrawn.set(id, true);
    }
  }
}

const TOO_MANY_REPLIES =
  "Too many replies at once. Nothing was sent; wait a few seconds and send it again.";
const AWAY = "the program that answers here is not connected; the message waits for it";

function objection(text: string): ToolResult {
  return { text, isError: true };
}
