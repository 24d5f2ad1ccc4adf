/**
 * One turn of a conversation, over as many processes as it takes.
 *
 *   start or resume -> play --over--> one end
 *        ^               |
 *        |               `--could not be started--> wait --> once more
 *        `--go on, what is done is done-- wait <--its tools are gone--'
 *
 * A process that dies after it was told the message takes the turn with it: nobody could say what it had done.
 */
import { Fault } from "@atrium/core";
import { presetPlaceOf, type PermissionsOf } from "../../process/workspace-preset.ts";
import type { Turn, TurnEvent, TurnHost } from "../../turn/agent-runtime.ts";
import { ABORTED, failed } from "../../turn/turn-ends.ts";
import { createPromptMeter, type Meter } from "../../turn/usage/usage-meter.ts";
import type { ProcessPool, Running, Slot } from "../process/process-pool.ts";
import {
  ClaudeUnusable,
  type ClaudeEnding,
  type ClaudePrompt,
} from "../protocol/claude-process.ts";
import { isTerminal, type TransportName } from "../protocol/claude-settings.ts";
import { promptOf } from "../protocol/prompt.ts";
import { isKnownSession, isMissingSession } from "../protocol/turn-ending.ts";
import type { Starter } from "../transports/starter.ts";
import { playTurn, type ClaudeTurnResult } from "./play-turn.ts";

export interface Conversing {
  readonly pool: ProcessPool;
  readonly starter: Starter;
  readonly now: () => number;
  readonly transport: TransportName;
  readonly secrets: Set<string>;
  readonly permissionsOf?: PermissionsOf | undefined;
}

const MAX_STARTS = 4;
const MAX_DOUBTS = 2;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

export async function* converse(
  conversing: Conversing,
  slot: Slot,
  turn: Turn,
  host: TurnHost,
): AsyncGenerator<TurnEvent, void> {
  slot.isKnown ??= turn.history.length > 0 ? undefined : false;
  const talk: Talk = { meter: undefined, isBegun: false, doubts: 0 };
  for (let attempt = 1; ;) {
    if (conversing.pool.isClosed) return void (yield failed("unavailable", "Atrium is stopping."));
    const played = yield* playOnce(conversing, slot, { turn, talk }, host);
    if (played.how !== "gone" && played.how !== "toolless") {
      return void (yield settle(slot, played));
    }
    if (played.how === "gone" && !talk.isBegun && hasMistakenSession(slot, played, talk)) continue;
    slot.crashes += 1;
    slot.crashedAt = conversing.now();
    const why = played.how === "gone" ? played.why : TOOLLESS;
    if (played.how === "gone" && played.hasSpoken) {
      slot.isKnown = true;
      const reason = `Claude Code stopped in the middle of the turn: ${why}. The next message goes on with the same session.`;
      return void (yield failed("unavailable", reason));
    }
    if (attempt >= MAX_STARTS) {
      const reason = `Claude Code could not be started, also not after ${MAX_STARTS} tries: ${why}. ${adviceFor(why)}`;
      return void (yield failed("unavailable", reason));
    }
    const what = played.how === "gone" ? "could not be started" : "must be started again";
    yield { type: "retrying", attempt, reason: `Claude Code ${what}: ${why}` };
    if (played.how === "toolless") {
      if (talk.isBegun) slot.isKnown = true;
      // What is said now is another paragraph.
      if (talk.meter?.hasWritten === true) yield { type: "text", delta: "\n\n" };
    }
    attempt += 1;
  }
}

function adviceFor(why: string): string {
  return /unknown (?:option|argument)|unexpected argument/i.test(why)
    ? "It is too old, or another program. Update it: npm install -g @anthropic-ai/claude-code@latest"
    : "Run it in a terminal as the server's user to see what is wrong.";
}

interface Talk {
  meter: Meter | undefined;
  /** Whether Claude has been told what the turn is about, and is only to go on. */
  isBegun: boolean;
  /** How often it was told right about its session. */
  doubts: number;
}

const TOOLLESS = "the program that brings it the tools of Atrium has died";
const GO_ON: ClaudePrompt = {
  text: "The connection to Atrium's tools was lost, and you were restarted to get them back. They work again. Continue where you stopped, and do not repeat what is already done. If a call to one of these tools was under way, check whether it took effect before you repeat it.",
  attachments: [],
};

type Gone = { readonly how: "gone"; readonly why: string; readonly hasSpoken: boolean };
type Once = Exclude<ClaudeTurnResult, string> | Gone;

/** Whether it ended only because we were wrong about its session, which it is told right the next time. */
function hasMistakenSession(slot: Slot, { why, hasSpoken }: Gone, talk: Talk): boolean {
  const wasKnown = slot.isKnown ?? true;
  const isMistaken = wasKnown ? isMissingSession(why) : isKnownSession(why);
  // One that neither knows the session nor lets it be begun would be asked for ever.
  if (hasSpoken || !isMistaken || talk.doubts >= MAX_DOUBTS) return false;
  talk.doubts += 1;
  slot.isKnown = !wasKnown;
  return true;
}

async function* playOnce(
  conversing: Conversing,
  slot: Slot,
  { turn, talk }: { readonly turn: Turn; readonly talk: Talk },
  host: TurnHost,
): AsyncGenerator<TurnEvent, Once> {
  await backOff(slot, conversing, host);
  const started = await ensure(conversing, slot, turn, host);
  if (started instanceof ClaudeUnusable) {
    return { how: "failed", kind: "unavailable", reason: started.message };
  }
  if (started instanceof Error) return { how: "gone", why: started.message, hasSpoken: false };
  const { process } = started;
  for (const secret of started.secrets) conversing.secrets.add(secret);
  using attached = started.attach(host);
  const isTyped = isTerminal(conversing.transport);
  const prompt = talk.isBegun
    ? GO_ON
    : promptOf(turn, { isTyped, isHistoryKnown: slot.isKnown ?? true });
  talk.meter ??= createPromptMeter(prompt.text.length);
  const { nameOf } = attached;
  // One that has gone by now has not been told anything.
  const canHear = process.isUsable;
  const presetPlace = presetPlaceOf(turn, conversing.permissionsOf);
  const deps = { host, nameOf, meter: talk.meter, presetPlace };
  const played = yield* playTurn(process, prompt, deps);
  if (typeof played !== "string" && played.how !== "toolless") return played;
  await slot.running?.stop();
  slot.running = undefined;
  if (typeof played === "string") {
    return { how: "gone", why: played, hasSpoken: canHear && process.hasSpoken };
  }
  // Only now that it has ended: a message may arrive late.
  talk.isBegun ||= process.hasTakenPrompt;
  return played;
}

/** An error is why it could not be started. */
async function ensure(
  { pool, starter, transport }: Conversing,
  slot: Slot,
  turn: Turn,
  host: TurnHost,
): Promise<Running | Error> {
  const wish = { turn, tools: host.tools, transport };
  const running =
    slot.starting === undefined ? slot.running : await slot.starting.catch(() => undefined);
  if (running !== undefined) {
    const isFit = running.process.isUsable && running.signature === starter.signatureOf(wish);
    if (isFit) return running;
    // What is no longer fit, or on its way out, is awaited: two processes would share a session.
    await running.stop();
    slot.running = undefined;
    if (slot.isKnown === false) slot.isKnown = true;
  }
  try {
    const isResumed = slot.isKnown ?? true;
    return await pool.start(slot, () => starter.start({ ...wish, isResumed }), host.signal);
  } catch (cause) {
    if (host.signal.aborted) throw cause;
    return cause instanceof Error
      ? cause
      : new Fault("Claude Code could not be started", {}, cause);
  }
}

/** After failures, one waits: 1 s, 2 s, 4 s … 30 s since the last. */
async function backOff(slot: Slot, { now }: Conversing, host: TurnHost): Promise<void> {
  if (slot.crashes === 0) return;
  const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (slot.crashes - 1));
  const leftMs = slot.crashedAt + waitMs - now();
  if (leftMs > 0) await host.sleep(leftMs);
}

function settle(slot: Slot, played: ClaudeEnding): TurnEvent {
  slot.isKnown = true;
  slot.crashes = 0;
  switch (played.how) {
    case "completed":
      return { type: "completed", stopReason: played.stopReason };
    case "interrupted":
      return ABORTED;
    case "failed":
      return failed(played.kind, played.reason);
  }
}
