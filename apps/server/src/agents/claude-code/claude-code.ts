/**
 * The claude-code runtime: turns of a conversation are turns of one Claude session.
 *
 *   turn -> slot of the conversation -> its process (started, resumed, or as it is) -> play-turn -> one end
 *
 * Claude Code keeps the history; we only say what is new. A process that dies takes its turn with it, and the next
 * one resumes the session.
 */
import { Fault } from "@atrium/core";
import type { AgentRuntime, Turn, TurnEvent, TurnFailureKind, TurnHost } from "../agent-runtime.ts";
import { unreadNote } from "../attachments.ts";
import { ClaudeUnusable } from "./claude-process.ts";
import { claudeSessionId } from "./claude-session-id.ts";
import type { ClaudeSettings } from "./claude-settings.ts";
import { isKnownSession, isMissingSession } from "./ending.ts";
import { playTurn, type Played } from "./play-turn.ts";
import { preflight } from "./preflight.ts";
import { ProcessPool, type PoolDeps, type Running, type Slot } from "./process-pool.ts";
import { isReadable } from "./prompt-content.ts";
import { promptOf } from "./prompt.ts";
import { createStarter, type Starter, type StarterDeps } from "./starter.ts";

export interface ClaudeDeps extends PoolDeps, Omit<StarterDeps, "settings"> {}

/** A start that fails is tried again this often in a turn. */
const MOST_STARTS = 4;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const CONTEXT_TOKENS = 200_000;

export function createClaudeCodeRuntime(
  name: string,
  settings: ClaudeSettings,
  deps: ClaudeDeps,
): AgentRuntime & { close(): Promise<void> } {
  const pool = new ProcessPool(settings, deps);
  const starter = createStarter({ ...deps, settings });
  return {
    name,
    type: "claude-code",
    model: {
      provider: "claude-code",
      id: settings.model ?? "default",
      contextTokens: CONTEXT_TOKENS,
    },
    async *start(turn, host) {
      try {
        host.signal.throwIfAborted();
        yield* serve({ settings, pool, starter, now: deps.now }, turn, host);
      } catch (cause) {
        if (!host.signal.aborted) throw cause;
        yield { type: "completed", stopReason: "aborted" };
      }
    },
    async close() {
      await pool.close();
      await starter.close();
    },
  };
}

interface Serving {
  readonly settings: ClaudeSettings;
  readonly pool: ProcessPool;
  readonly starter: Starter;
  readonly now: () => number;
}

async function* serve(
  serving: Serving,
  turn: Turn,
  host: TurnHost,
): AsyncGenerator<TurnEvent, void> {
  const { settings, pool, starter } = serving;
  const problem = await preflight(settings.command, settings.cwd, settings.env["PATH"]);
  if (problem !== undefined) return void (yield failed("unavailable", problem));
  const { isTyped } = starter;
  const unread = turn.attachments.filter((attachment) => !isReadable(attachment, isTyped));
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  const { slot, release } = await pool.hold(claudeSessionId(turn.conversation), host.signal);
  try {
    yield* converse(serving, slot, turn, host);
  } finally {
    release();
  }
}

async function* converse(
  serving: Serving,
  slot: Slot,
  turn: Turn,
  host: TurnHost,
): AsyncGenerator<TurnEvent, void> {
  slot.isKnown ??= turn.history.length > 0 ? undefined : false;
  for (let attempt = 1; ;) {
    if (serving.pool.isClosed) return void (yield failed("unavailable", "Atrium is stopping."));
    const played = yield* playOnce(serving, slot, turn, host);
    if (played.how !== "gone") return void (yield settle(slot, played));
    const { why, hasSpoken } = played;
    const wasKnown = slot.isKnown ?? true;
    if (!hasSpoken && wasKnown && isMissingSession(why)) {
      slot.isKnown = false;
      continue;
    }
    if (!hasSpoken && !wasKnown && isKnownSession(why)) {
      slot.isKnown = true;
      continue;
    }
    slot.crashes += 1;
    slot.crashedAt = serving.now();
    if (hasSpoken) {
      slot.isKnown = true;
      const reason = `Claude Code stopped in the middle of the turn: ${why}. The next message goes on with the same session.`;
      return void (yield failed("unavailable", reason));
    }
    if (attempt >= MOST_STARTS) {
      const reason = `Claude Code could not be started, also not after ${MOST_STARTS} tries: ${why}`;
      return void (yield failed("unavailable", reason));
    }
    yield { type: "retrying", attempt, reason: `Claude Code could not be started: ${why}` };
    attempt += 1;
  }
}

type Once =
  | Exclude<Played, string>
  | { readonly how: "gone"; readonly why: string; readonly hasSpoken: boolean };

/** One try: with the process that is there, or a new one. */
async function* playOnce(
  serving: Serving,
  slot: Slot,
  turn: Turn,
  host: TurnHost,
): AsyncGenerator<TurnEvent, Once> {
  await backOff(slot, serving, host);
  const started = await ensure(serving, slot, turn, host);
  if (started instanceof ClaudeUnusable) {
    return { how: "failed", kind: "unavailable", reason: started.message };
  }
  if (started instanceof Error) return { how: "gone", why: started.message, hasSpoken: false };
  const { process } = started;
  using attached = started.attach(host);
  const { isTyped } = serving.starter;
  const prompt = promptOf(turn, { isTyped, isHistoryKnown: slot.isKnown ?? true });
  const played = yield* playTurn(process, prompt, { host, nameOf: attached.nameOf });
  if (typeof played !== "string") return played;
  await slot.running?.stop();
  slot.running = undefined;
  return { how: "gone", why: played, hasSpoken: process.hasSpoken };
}

/** An error is why it could not be started. */
async function ensure(
  { pool, starter }: Serving,
  slot: Slot,
  turn: Turn,
  host: TurnHost,
): Promise<Running | Error> {
  const wish = { turn, tools: host.tools };
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
async function backOff(slot: Slot, { now }: Serving, host: TurnHost): Promise<void> {
  if (slot.crashes === 0) return;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (slot.crashes - 1));
  const leftMs = slot.crashedAt + waitMs - now();
  if (leftMs > 0) await host.sleep(leftMs);
}

function settle(slot: Slot, played: Exclude<Once, { how: "gone" }>): TurnEvent {
  slot.isKnown = true;
  slot.crashes = 0;
  switch (played.how) {
    case "completed":
      return { type: "completed", stopReason: played.stopReason };
    case "interrupted":
      return { type: "completed", stopReason: "aborted" };
    case "failed":
      return failed(played.kind, played.reason);
  }
}

function failed(kind: TurnFailureKind, reason: string): TurnEvent {
  return { type: "failed", kind, reason };
}
