/**
 * The interactive transport: Claude Code in a terminal of ours. Messages are pasted and sent like a person would;
 * what happens is told by its hooks. First-run dialogs are answered as its documentation describes them, and the
 * question whether to trust the folder only where the settings name that folder.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Fault } from "@atrium/core";
import type { IPty } from "@lydell/node-pty";
import { inboundToolMessage, type InboundToolMessage } from "../../turn/mcp-tool-server.ts";
import { markOf } from "../process/mark.ts";
import { signalGroup } from "../process/process-tree.ts";
import { stopProcess } from "../process/stop-process.ts";
import {
  ClaudeUnusable,
  type ClaudeProcess,
  type ClaudePrompt,
  type ProcessEvent,
  type Launch,
} from "../protocol/claude-process.ts";
import { interactiveArgs } from "../protocol/command-line.ts";
import { hookSettings } from "../protocol/hook-settings.ts";
import { HookTranslator } from "../protocol/hook-translator.ts";
import { sandboxSettings } from "../protocol/sandbox-settings.ts";
import { quote } from "../protocol/turn-ending.ts";
import type { ChannelPermissions } from "./channel-permissions.ts";
import type { HooksServer } from "./hooks-server.ts";
import { createScreenReader, type Screen } from "./screen.ts";

export interface InteractiveDeps {
  readonly hooks: HooksServer;
  readonly isFolderTrusted: boolean;
  /** Through its channel. Left out: messages are typed. */
  readonly deliver?: ((message: InboundToolMessage) => void) | undefined;
  readonly channel: ChannelPermissions;
}

const SIZE = { cols: 120, rows: 40 };
const ESCAPE = "\u001B";
const ENTER = "\r";
const DOWN = `${ESCAPE}[B`;
/** Claude Code takes a paste for typing when Enter follows at once. */
const AFTER_PASTE_MS = 300;
const START_MS = 60_000;
const LOOK_MS = 100;
const PRESS_AGAIN_MS = 3_000;
const QUIET_MS = 300;
const REFUSAL_MS = 3_000;
const PROOF_MS = 60_000;

export async function openInteractive(
  launch: Launch,
  { hooks, isFolderTrusted, deliver, channel }: InteractiveDeps,
): Promise<ClaudeProcess> {
  let listener: ((event: ProcessEvent) => void) | undefined;
  const translator = new HookTranslator((event) => {
    channel.onEvent(event);
    listener?.(event);
  });
  let hasSpoken = false;
  const { url, remove } = hooks.register((event, body, left) => {
    hasSpoken = true;
    return translator.take(event, body, left);
  });
  const { folder, settingsFile } = await writeSettings(url, launch);
  const isChannel = deliver !== undefined;
  const terminal = await openTerminal(launch, interactiveArgs(launch, settingsFile, isChannel));
  const { pty, ended: exited } = terminal;
  let isUsable = true;
  const ended = exited.then(async (why) => {
    isUsable = false;
    remove();
    await rm(folder, { recursive: true, force: true });
    listener?.({ type: "gone", why });
    return why;
  });
  const mark = markOf(launch.env);
  let stopping: Promise<void> | undefined;
  let hasTools = true;
  const stop = (): Promise<void> => {
    isUsable = false;
    stopping ??= stopProcess({ pid: pty.pid, ended, mark });
    return stopping;
  };
  await passDialogs(terminal, { isFolderTrusted, isChannel }).catch(async (cause: unknown) => {
    await stop();
    throw cause;
  });
  return {
    pid: pty.pid,
    // A message that was interrupted early is put back into the input, where the next would be added to it.
    survivesInterrupt: false,
    ended,
    get isUsable() {
      return isUsable;
    },
    get hasSpoken() {
      return hasSpoken;
    },
    get hasTakenPrompt() {
      return translator.hasBegun;
    },
    listen(next) {
      listener = next;
      channel.listener = next;
      if (next === undefined && !hasTools) void stop();
    },
    say(prompt) {
      translator.begin(isChannel);
      const hasArrived = (): boolean => translator.hasBegun || !isUsable;
      if (deliver === undefined) return void type(pty, prompt, hasArrived);
      deliver(throughChannel(prompt));
      setTimeout(() => {
        if (!hasArrived()) listener?.({ type: "ended", ending: NOT_DELIVERED, isAtWork: true });
      }, PROOF_MS).unref();
    },
    // Through a channel nothing was ever seen to arrive.
    ...(!isChannel && { add: adder(pty, translator, () => isUsable) }),
    permit(id, decision) {
      if (!channel.permit(id, decision.behavior)) translator.permit(id, decision);
    },
    interrupt() {
      pressEscape(terminal, () => listener?.({ type: "ended", ending: { how: "interrupted" } }));
    },
    loseTools() {
      hasTools = false;
      if (listener === undefined) void stop();
      else listener({ type: "tools.lost" });
    },
    stop,
  };
}

async function writeSettings(
  url: string,
  { confinement }: Launch,
): Promise<{ folder: string; settingsFile: string }> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-hooks-"));
  const settingsFile = join(folder, "settings.json");
  const sandbox = confinement === undefined ? {} : sandboxSettings(confinement);
  const settings = { ...hookSettings(url), ...sandbox };
  await writeFile(settingsFile, JSON.stringify(settings), { mode: 0o600 });
  return { folder, settingsFile };
}

/** One message, with what is known of the last of those it is made of. */
function throughChannel({ text, messages = [], runId = "" }: ClaudePrompt): InboundToolMessage {
  const last = messages.at(-1);
  if (last === undefined) return { id: `${runId}:${randomUUID()}`, content: text, meta: {} };
  return { ...inboundToolMessage(last, []), content: text };
}

type Terminal = Awaited<ReturnType<typeof openTerminal>>;

async function openTerminal(launch: Launch, args: string[]) {
  const { spawn } = await import("@lydell/node-pty");
  const pty = spawn(launch.command, args, { ...SIZE, cwd: launch.cwd, env: { ...launch.env } });
  const screen = createScreenReader();
  const looks = new Set<() => boolean>();
  let hasEnded = false;
  let drawnAt = performance.now();
  pty.onData((drawn) => {
    drawnAt = performance.now();
    screen.take(drawn);
    for (const look of looks) if (look()) looks.delete(look);
  });
  const ended = new Promise<string>((resolve) => {
    pty.onExit(({ exitCode, signal }) => {
      hasEnded = true;
      signalGroup(pty.pid, "SIGKILL");
      const how =
        signal === undefined || signal === 0 ? `with code ${exitCode}` : `by signal ${signal}`;
      resolve(`it ended ${how}: ${quote(screen.text().slice(-200))}`);
    });
  });
  return {
    pty,
    screen,
    ended,
    get hasEnded(): boolean {
      return hasEnded;
    },
    quietMs: () => performance.now() - drawnAt,
    /** Looks whenever something was drawn, until it returns true. */
    onDrawn: (look: () => boolean) => void looks.add(look),
  };
}

/** What a person would press, and no more than once: a second Enter would answer the next dialog. */
const KEYS: Readonly<Partial<Record<Screen, string>>> = {
  theme: ENTER,
  "security notes": ENTER,
  "trust, no chosen": DOWN,
  "trust, yes chosen": ENTER,
  // "I am using this for local development": who sets the transport to channel says so.
  "channel warning": ENTER,
};

async function passDialogs(
  terminal: Terminal,
  may: { readonly isFolderTrusted: boolean; readonly isChannel: boolean },
): Promise<void> {
  const { pty, screen } = terminal;
  const until = performance.now() + START_MS;
  const pressedAt = new Map<Screen, number>();
  while (performance.now() < until) {
    if (terminal.hasEnded) throw new Fault(await terminal.ended);
    const shown = screen.read();
    if (shown === "ready") return may.isChannel ? checkChannel(terminal) : undefined;
    if (shown === "login" || shown === "api key") {
      throw new ClaudeUnusable(`Claude Code asks how to log in. ${ONCE}`);
    }
    if (shown.startsWith("trust") && !may.isFolderTrusted) throw new ClaudeUnusable(UNTRUSTED);
    const key = shown === "channel warning" && !may.isChannel ? undefined : KEYS[shown];
    const isPressed =
      performance.now() - (pressedAt.get(shown) ?? -PRESS_AGAIN_MS) < PRESS_AGAIN_MS;
    // A dialog that is still being drawn does not listen yet.
    if (key !== undefined && !isPressed && terminal.quietMs() > QUIET_MS) {
      pressedAt.set(shown, performance.now());
      screen.forget();
      pty.write(key);
    }
    await pause(LOOK_MS);
  }
  const shown = quote(screen.text().slice(-200));
  throw new ClaudeUnusable(`Claude Code did not get ready. ${ONCE} On its terminal is: ${shown}`);
}

/** Claude Code says on its first screen when it ignores a channel; else a first answer must prove that it does not. */
async function checkChannel(terminal: Terminal): Promise<void> {
  const until = performance.now() + REFUSAL_MS;
  while (performance.now() < until) {
    if (/Channelsarenot|channelsignored/i.test(terminal.screen.text())) {
      throw new ClaudeUnusable(NO_CHANNEL);
    }
    await pause(LOOK_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function pressEscape({ pty, screen, onDrawn }: Terminal, onStopped: () => void): void {
  screen.forget();
  pty.write(ESCAPE);
  onDrawn(() => {
    const isOver = /Interrupted/i.test(screen.text());
    if (isOver) onStopped();
    return isOver;
  });
}

const NO_CHANNEL = `Channels are not available to this Claude Code (it says "Channels are not currently available"). Use "transport": "headless" or "interactive".`;
const NOT_DELIVERED = {
  how: "failed",
  kind: "unavailable",
  reason: `Claude Code did not take the message from its channel. Use "transport": "headless" or "interactive".`,
} as const;
const ONCE = `Run "claude" once in a terminal, in the same folder and as the server's user, and answer what it asks.`;
const UNTRUSTED = `Claude Code asks whether the folder is trusted. Name the folder as "cwd" of the runtime to say that it is, or set "transport": "headless". ${ONCE}`;

/** What is added is handed over by a hook; after the turn it is typed, as a message of its own. */
function adder(pty: IPty, translator: HookTranslator, isUsable: () => boolean) {
  return (text: string): void => {
    if (translator.add(text)) return;
    translator.begin(false, text);
    void type(pty, { text, attachments: [] }, () => translator.hasBegun || !isUsable());
  };
}

/** Pastes and sends; sends again until it has arrived, because Claude Code may still be busy drawing. */
async function type(pty: IPty, { text }: ClaudePrompt, hasArrived: () => boolean): Promise<void> {
  pty.write(`${ESCAPE}[200~${typeable(text)}${ESCAPE}[201~`);
  for (let waitMs = AFTER_PASTE_MS; ; waitMs = Math.min(waitMs * 2, 5_000)) {
    await pause(waitMs);
    if (hasArrived()) return;
    pty.write(ENTER);
  }
}

/** No control characters: one could end the paste, and what follows would be keys. */
export function typeable(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, "\n");
  // oxlint-disable-next-line no-control-regex -- they are what is to be removed
  const plain = lines.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, "");
  // A backslash before Enter would make a new line of it.
  return plain.endsWith("\\") ? `${plain} ` : plain;
}
