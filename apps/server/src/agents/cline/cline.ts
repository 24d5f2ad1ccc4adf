/**
 * The Cline runtime: `cline --json`, once for each turn.
 *
 *   may it use its tools? -> cline --json PROMPT -> lines of JSON -> one end
 *
 * Cline asks nobody in this mode: its tools are all allowed or all denied. So outside of a sandbox a person is asked
 * before the turn, and without an allowance Cline works without those that change something. It keeps no session for us:
 * each turn is told what was said. It takes no tools of ours.
 */
import type { Child } from "../../confinement/program/child.ts";
import type { Timers } from "../../platform/timers.ts";
import { PROGRAM_HOMES } from "../detection/programs/program-homes.ts";
import { chunksOf } from "../process/chunks.ts";
import { createKnownLogins } from "../process/home/known-logins.ts";
import { openProgram, type OpenedProgram, type ProgramDeps } from "../process/program.ts";
import { allows, presetOf, type PermissionsOf } from "../process/workspace-preset.ts";
import type { ProgramSettings } from "../settings/runtime-settings.ts";
import {
  readPermission,
  type AgentRuntime,
  type Turn,
  type TurnEvent,
  type TurnHost,
} from "../turn/agent-runtime.ts";
import { asText, isText, notSentNote, unreadNote } from "../turn/attachments.ts";
import { promptWithContext } from "../turn/prompt-with-context.ts";
import { createReportedTools, type ReportedTools } from "../turn/reported-tools.ts";
import { ABORTED, closeTurn, failed, saidTooMuch } from "../turn/turn-ends.ts";
import { untilAborted } from "../turn/until-aborted.ts";
import { priceFor } from "../turn/usage/price.ts";
import { createMeter, type Meter } from "../turn/usage/usage-meter.ts";
import { endFailure, runFailure, silentFailure, strangerFailure } from "./cline-failures.ts";
import { createLeftBehind } from "./left-behind.ts";
import { createLineReader, isClineLine, type ClineOutput } from "./read-output.ts";

export type ClineSettings = ProgramSettings<"cline">;

export interface ClineDeps extends ProgramDeps {
  readonly newSecret: () => string;
  /** What nobody may say. */
  readonly secretsInUse?: Set<string> | undefined;
  /** What agents may do in their workspaces without asking. */
  readonly permissionsOf?: PermissionsOf | undefined;
}

const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const CONTEXT_TOKENS = 200_000;
const START_TIMEOUT_MS = 60_000;
/** Beyond which lines that are not Cline's show that it is something else. */
const MAX_NOISE_CHARS = 64 * 1024;
/** Linux takes no longer argument: https://man7.org/linux/man-pages/man2/execve.2.html */
const MAX_PROMPT_BYTES = 128 * 1024 - 1;
/** Where it reads which MCP servers its user has configured. */
const MCP_SETTINGS = "CLINE_MCP_SETTINGS_PATH";
const NO_FILE = "/dev/null";
const UNASKED =
  "Cline asks nobody before it uses a tool: allowed, it may change files and run commands in this turn.";

interface Play {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly tools: ReportedTools;
}

export function createClineRuntime(
  name: string,
  settings: ClineSettings,
  deps: ClineDeps,
): AgentRuntime {
  const [program = ""] = settings.command;
  const leftBehind = createLeftBehind(deps.newSecret(), deps.timers);
  const withoutOwn = settings.ownSettings === false ? { [MCP_SETTINGS]: NO_FILE } : {};
  const env = { ...settings.env, ...withoutOwn, ...leftBehind.env };
  const home = {
    name,
    keeps: PROGRAM_HOMES.cline,
    logins: createKnownLogins(deps.secretsInUse),
  };
  return {
    name,
    type: "cline",
    takesNoTools: true,
    hasFileTools: true,
    model: {
      provider: "cline",
      id: settings.model ?? program,
      contextTokens: settings.contextTokens ?? CONTEXT_TOKENS,
    },
    async *start(turn, host) {
      const play = {
        turn,
        host,
        meter: createMeter(turn, priceFor(settings, turn.wishes.model)),
        tools: createReportedTools(),
      };
      let child: Child | undefined;
      let end: TurnEvent = ABORTED;
      try {
        await using _turn = leftBehind.begin();
        try {
          host.signal.throwIfAborted();
          const prompt = promptOf(turn);
          if (Buffer.byteLength(prompt) > MAX_PROMPT_BYTES) {
            end = failed("context_length", tooLong(program));
          } else {
            const isAllowed = await mayUseTools(settings, play, deps.permissionsOf);
            const command = commandFor(settings, turn, isAllowed, prompt);
            const opened = await openProgram({ ...settings, command, env, home }, play, deps);
            if (opened.ok) ({ child } = opened);
            end = opened.ok
              ? yield* converse(opened, settings, play, deps)
              : failed("unavailable", opened.reason);
          }
        } finally {
          await child?.stop();
        }
      } catch (cause) {
        if (!host.signal.aborted) throw cause;
      }
      yield* closeTurn(play, end);
    },
    close: () => leftBehind.end(),
  };
}

/**
 * In a workspace it is confined, or people are asked about that. It cannot tell changes of files from commands, so that
 * for every preset but `sandbox` they are asked about the turn.
 */
async function mayUseTools(
  { approval = "ask", command, cwd: usual }: ClineSettings,
  { turn, host }: Play,
  permissionsOf: PermissionsOf | undefined,
): Promise<boolean> {
  if (approval === "deny") return false;
  const preset = presetOf(turn, permissionsOf);
  const isUnasked =
    preset === undefined
      ? approval === "allow" || turn.workspace !== undefined
      : allows(preset, "confined");
  if (isUnasked) return true;
  const cwd = turn.workspace?.folder ?? usual;
  const input = { command: command.join(" "), prompt: turn.prompt };
  const request = { tool: "cline", input, cwd, warning: UNASKED, mayAlways: false } as const;
  const answer = host.requestPermission(request);
  return readPermission(await untilAborted(host.signal, answer)).permission === "allowed";
}

function commandFor(
  { command, model, mode }: ClineSettings,
  { wishes }: Turn,
  isAllowed: boolean,
  prompt: string,
): string[] {
  const wanted = wishes.model ?? model;
  return [
    ...command,
    "--json",
    `--auto-approve=${isAllowed}`,
    ...(mode === "plan" ? ["--plan"] : []),
    ...(wanted === undefined ? [] : [`--model=${wanted}`]),
    // What follows is the prompt, whatever it begins with.
    "--",
    prompt,
  ];
}

async function* converse(
  { child, login }: Extract<OpenedProgram, { readonly ok: true }>,
  { command, maxOutputBytes = MAX_OUTPUT_BYTES, startTimeoutMs = START_TIMEOUT_MS }: ClineSettings,
  play: Play,
  { timers }: ClineDeps,
): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, host } = play;
  const [program = ""] = command;
  const unread = turn.attachments.filter((attachment) => !isText(attachment));
  if (unread.length > 0) yield { type: "text", delta: `${unreadNote(unread)}\n\n` };
  child.stdin.end();
  const readLine = createLineReader(play.tools);
  const chunks = chunksOf(child, timers);
  let bytes = 0;
  let rest = "";
  let noise = "";
  let isHeard = false;
  for (;;) {
    const next = untilAborted(host.signal, chunks.next());
    const got = isHeard ? await next : await orSilence(next, startTimeoutMs, timers);
    if (got === undefined) return silentFailure(program, startTimeoutMs);
    const { done, value } = got;
    bytes += Buffer.byteLength(value ?? "");
    if (bytes > maxOutputBytes) return saidTooMuch(program, maxOutputBytes);
    const lines = `${rest}${value ?? "\n"}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (isClineLine(line)) isHeard = true;
      else if (!isHeard) noise += line;
      const end = yield* take(readLine(line), play, (text) => runFailure(program, text, login));
      if (end !== undefined) return end;
    }
    if (noise.length > MAX_NOISE_CHARS && !isHeard) {
      return failed("unavailable", strangerFailure(program, noise));
    }
    if (done === true) break;
  }
  const ended = await untilAborted(host.signal, child.ended);
  const output = { complaint: child.complaint(), noise: isHeard ? "" : noise };
  return endFailure(program, ended, output);
}

/** Undefined: nothing came in time. */
async function orSilence<T>(next: Promise<T>, ms: number, timers: Timers): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = timers.after(ms, () => late.resolve(undefined));
  // Whoever gives up hears no more of it.
  next.catch(() => undefined);
  try {
    return await Promise.race([next, late.promise]);
  } finally {
    cancel();
  }
}

/** Returns how the turn ends, when the program says so. */
async function* take(
  output: ClineOutput | undefined,
  { meter, host, tools }: Play,
  failureOf: (text: string) => TurnEvent,
): AsyncGenerator<TurnEvent, TurnEvent | undefined> {
  host.signal.throwIfAborted();
  switch (output?.type) {
    case undefined:
      return undefined;
    case "usage":
      if (meter.counted(output.usage)) yield meter.reading();
      return undefined;
    case "events":
      for (const event of tools.tell(output.events)) {
        if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
        yield event;
      }
      return undefined;
    case "ended":
      return endOf(output.reason, output.text, failureOf);
  }
}

function endOf(reason: string, text: string, failureOf: (text: string) => TurnEvent): TurnEvent {
  switch (reason) {
    case "completed":
      return { type: "completed", stopReason: "stop" };
    case "max_iterations":
      return { type: "completed", stopReason: "max_steps" };
    default:
      return failureOf(text === "" ? reason : text);
  }
}

const SPEAKERS = { user: "User", assistant: "You", system: "System" } as const;

/** It keeps no session for us, so all of it is told each time. */
function promptOf(turn: Turn): string {
  const { instructions, history, attachments } = turn;
  const past = history.filter(({ text }) => text.trim() !== "");
  const unread = attachments.filter((attachment) => !isText(attachment));
  return [
    instructions,
    ...(past.length === 0 ? [] : ["What was said before, oldest first:"]),
    ...past.map(({ role, text }) => `${SPEAKERS[role]}: ${text}`),
    ...(past.length === 0 ? [] : ["Now answer what follows."]),
    ...attachments.filter(isText).map(asText),
    ...notSentNote(unread),
    promptWithContext(turn),
  ].join("\n\n");
}

function tooLong(program: string): string {
  return `The conversation is too long for "${program}", which takes at most ${MAX_PROMPT_BYTES} bytes. Begin a new one.`;
}
