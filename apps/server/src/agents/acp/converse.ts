/**
 * A turn in the session of an ACP agent: its prompt, and one more for what people add meanwhile.
 *
 *   prompt -> updates -> answer --was something added?--> prompt -> ... -> one end
 *
 * The protocol has no way to add to a prompt. So between two steps, when a tool has returned, the rest of the answer is
 * cancelled for the words that were added, which are the next prompt; the session knows what was done until then. An
 * answer without tools is heard to its end first.
 */
import { setImmediate } from "node:timers/promises";
import type {
  ContentBlock,
  PromptResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Timers } from "../../platform/timers.ts";
import { AgentGone } from "../process/agent-gone.ts";
import { presetPlaceOf, type PermissionsOf } from "../process/workspace-preset.ts";
import type { Turn, TurnEvent, TurnHost } from "../turn/agent-runtime.ts";
import { unreadNote } from "../turn/attachments.ts";
import { createEventQueue, type EventQueue } from "../turn/event-queue.ts";
import type { ReportedTools } from "../turn/reported-tools.ts";
import { failed, saidTooMuch } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";
import type { AcpAgent, PromptListener } from "./acp-agent.ts";
import type { CompleteAcpSettings } from "./acp-settings.ts";
import type { AcpProgram } from "./launch/programs.ts";
import { allowUnasked, decide, type DecidedOption } from "./session/permission.ts";
import { isUnasked, type AcpPresetPlace } from "./session/preset.ts";
import { promptOf, unreadable } from "./session/prompt.ts";
import { createUpdateReader, type UpdateReader } from "./session/session-updates.ts";

export interface AcpPlay {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly tools: ReportedTools;
  readonly settings: CompleteAcpSettings;
  readonly program: AcpProgram;
  readonly timers: Timers;
  readonly permissionsOf?: PermissionsOf | undefined;
}

/** How long an agent may take to stop answering before its process is ended. */
const LET_GO_MS = 2_000;

const STOPPED: TurnEvent = { type: "completed", stopReason: "stop" };
const CANCELLED: RequestPermissionOutcome = { outcome: "cancelled" };

/** Has the agent answer; returns how the turn ends. Afterwards the agent is free, or gone. */
export async function* converse(
  agent: AcpAgent,
  play: AcpPlay,
): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, host, tools } = play;
  const unread = unreadable(turn.attachments, agent.takes);
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const reader = createUpdateReader(tools, (seen) => agent.toolServer?.calls.nameOf(seen));
  agent.usage.begin();
  let prompt = promptOf(turn, agent);
  for (let characters = 0; ;) {
    const answering = new Answering(agent, reader, play, characters);
    const end = yield* answering.hear(prompt);
    characters = answering.characters;
    if (end.type === "failed" || host.signal.aborted) return end;
    const added = [...answering.added, ...host.takeSteering()];
    if (added.length === 0) return end;
    prompt = added.map((text): ContentBlock => ({ type: "text", text }));
    agent.usage.goOn();
    reader.part();
  }
}

/** The answer to one prompt. */
class Answering implements PromptListener {
  /** What people have added, for which the answer is cut. */
  readonly added: string[] = [];
  /** Of the whole turn. */
  characters: number;
  readonly #agent: AcpAgent;
  readonly #reader: UpdateReader;
  readonly #play: AcpPlay;
  readonly #queue: EventQueue<TurnEvent> = createEventQueue<TurnEvent>();
  #wasDenied = false;

  constructor(agent: AcpAgent, reader: UpdateReader, play: AcpPlay, characters: number) {
    this.#agent = agent;
    this.#reader = reader;
    this.#play = play;
    this.characters = characters;
  }

  get isCut(): boolean {
    return this.added.length > 0;
  }

  async *hear(prompt: ContentBlock[]): AsyncGenerator<TurnEvent, TurnEvent> {
    const { host, meter, tools, settings, timers } = this.#play;
    const answer = this.#agent.prompt(prompt, this);
    const isOver = this.#count(answer).then(
      () => true,
      () => true,
    );
    void isOver.then(() => this.#queue.end());
    try {
      for (;;) {
        const event = await untilAborted(host.signal, this.#queue.next());
        if (event === undefined) break;
        if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
        yield* tools.tell([event]);
      }
      const [name = ""] = settings.command;
      if (this.#isTooMuch) return saidTooMuch(name, settings.maxOutputBytes);
      return await this.#endOf(answer, name);
    } finally {
      await letGo(this.#agent, isOver, timers);
    }
  }

  update(update: SessionUpdate): void {
    const { meter } = this.#play;
    const used = this.#agent.usage.update(update);
    if (used !== undefined) {
      meter.counted({ inputTokens: 0, outputTokens: 0, ...used });
      this.#push([meter.reading()]);
    }
    const events = this.#reader.read(update);
    this.#push(events);
    if (events.some(({ type }) => type === "tool.returned")) this.#cutForSteering();
  }

  async decide(request: RequestPermissionRequest): Promise<RequestPermissionOutcome> {
    // It has not heard yet that it is to stop.
    if (this.isCut) return CANCELLED;
    this.#push(this.#reader.asked(request.toolCall));
    const decision = await decideOnce(request, this.#agent, this.#reader, this.#play);
    if (decision.permission !== "allowed") {
      this.#wasDenied = true;
      this.#reader.denied(request.toolCall.toolCallId);
    }
    return decision.outcome;
  }

  takeSteering(): readonly string[] {
    const { host } = this.#play;
    return host.signal.aborted ? [] : host.takeSteering();
  }

  get #isTooMuch(): boolean {
    return this.characters > this.#play.settings.maxOutputBytes;
  }

  #cutForSteering(): void {
    const { tools, program } = this.#play;
    if (program.asksForSteering || tools.isBusy || this.isCut) return;
    this.added.push(...this.takeSteering());
    if (this.isCut) this.#agent.cancel();
  }

  #push(events: readonly TurnEvent[]): void {
    for (const event of events) {
      this.characters += sizeOf(event);
      this.#queue.push(event);
    }
    // It is not slowed down by whoever listens, so it must not be let run away.
    if (this.#isTooMuch) this.#queue.end();
  }

  /** Also what an answer has used that was cut off, or that nobody waits for any more. */
  async #count(answer: Promise<PromptResponse>): Promise<void> {
    const answered = await answer;
    // Updates that came before the answer may still be on their way through the SDK.
    await setImmediate();
    const used = this.#agent.usage.answer(answered);
    if (used !== undefined) this.#play.meter.counted(used);
  }

  #cancelled(): TurnEvent {
    this.#play.meter.missed();
    return STOPPED;
  }

  async #endOf(answer: Promise<PromptResponse>, program: string): Promise<TurnEvent> {
    let answered: PromptResponse;
    try {
      answered = await answer;
    } catch (cause) {
      // Some call it an error to be cancelled.
      if (!this.isCut || cause instanceof AgentGone) throw cause;
      return this.#cancelled();
    }
    // Some end the turn when they may not do what they wanted.
    const mayStop = this.#wasDenied || this.isCut;
    if (mayStop && answered.stopReason === "cancelled") return this.#cancelled();
    return endOf(answered, program);
  }
}

/** Our own tools ask people themselves, where that is needed. */
async function decideOnce(
  request: RequestPermissionRequest,
  agent: AcpAgent,
  reader: UpdateReader,
  play: AcpPlay,
): Promise<DecidedOption> {
  const { turn, host, settings } = play;
  const known = reader.known(request.toolCall);
  const isOurs = agent.toolServer?.calls.isAsked(request, known) === true;
  const place = presetPlaceIn(play, agent);
  const isAllowed = isOurs || (place !== undefined && (await isUnasked(request, place)));
  const unasked = isAllowed ? allowUnasked(request) : undefined;
  return unasked ?? decide(request, known, host, turn.workspace?.folder ?? settings.cwd);
}

function presetPlaceIn(
  { turn, settings, permissionsOf }: AcpPlay,
  { isConfined }: AcpAgent,
): AcpPresetPlace | undefined {
  const place = presetPlaceOf(turn, permissionsOf);
  const hasRemoteServers = settings.mcpServers.some((server) => "url" in server);
  return place && { ...place, isConfined, hasRemoteServers };
}

/** Leaves the agent without an answer under way, or without a process. */
async function letGo(agent: AcpAgent, answered: Promise<boolean>, timers: Timers): Promise<void> {
  const isDone = await Promise.race([answered, setImmediate(false)]);
  if (isDone) return;
  agent.cancel();
  const late = Promise.withResolvers<boolean>();
  const cancel = timers.after(LET_GO_MS, () => late.resolve(false));
  const hasStopped = await Promise.race([answered, late.promise]);
  cancel();
  if (!hasStopped) await agent.stop();
}

function endOf({ stopReason }: PromptResponse, program: string): TurnEvent {
  switch (stopReason) {
    case "end_turn":
      return STOPPED;
    case "max_tokens":
      return { type: "completed", stopReason: "length" };
    case "max_turn_requests":
      return { type: "completed", stopReason: "max_steps" };
    case "refusal":
      return failed("refusal", `"${program}" declined to go on.`);
    case "cancelled":
      return failed("unknown", `"${program}" stopped without being told to.`);
  }
}

function sizeOf(event: TurnEvent): number {
  if (event.type === "text" || event.type === "thinking") return event.delta.length;
  if (event.type === "tool.called") return JSON.stringify(event.input).length;
  return event.type === "tool.returned" ? event.text.length : 0;
}
