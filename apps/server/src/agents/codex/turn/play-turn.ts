/**
 * One turn with one Codex: says the prompt, passes on what is heard, asks people for what needs them, and ends once.
 * Afterwards Codex is idle, or gone.
 */
import { setImmediate } from "node:timers/promises";
import type { Timers } from "../../../platform/timers.ts";
import { staysIn } from "../../process/workspace-preset.ts";
import type { WorkspacePermissions } from "../../settings/agent-settings.ts";
import type { PermissionRequest, Turn, TurnEvent, TurnHost } from "../../turn/agent-runtime.ts";
import { createEventQueue } from "../../turn/event-queue.ts";
import { fieldsOf, textIn, type Fields } from "../../turn/json-fields.ts";
import type { ReportedTools } from "../../turn/reported-tools.ts";
import { failed, saidTooMuch } from "../../turn/turn-ends.ts";
import { untilAborted } from "../../turn/until-aborted.ts";
import type { Meter } from "../../turn/usage/usage-meter.ts";
import { textInput } from "../app-server/codex-input.ts";
import type { CodexProcess } from "../app-server/codex-process.ts";
import type { CompleteCodexSettings } from "../app-server/codex-settings.ts";
import type { RequestId } from "../app-server/connection.ts";
import { turnFailure } from "../app-server/failure.ts";
import { createApprovals, type CodexApprovals } from "./approvals.ts";
import { createCommandOutputs } from "./command-outputs.ts";
import { changesIn, type PatchedFile } from "./file-changes.ts";
import { createItemTranslator } from "./item-translator.ts";
import { createSteering } from "./steering.ts";
import { TokenCount } from "./token-count.ts";
import { turnInput } from "./turn-input.ts";
import { wishesOf } from "./wishes.ts";

/** How long Codex may take to stop before its process is ended. */
const LET_GO_MS = 2_000;

export interface Play {
  readonly turn: Turn;
  readonly host: TurnHost;
  readonly meter: Meter;
  readonly tools: ReportedTools;
  readonly settings: CompleteCodexSettings;
  /** In the workspace of the turn; undefined: as the settings say. */
  readonly permissions: WorkspacePermissions | undefined;
  readonly timers: Timers;
  /** What nobody may say, also in pieces. */
  readonly secrets: () => readonly string[];
}

/** Returns how the turn ends. Rejects with AgentGone, or with what Codex refuses. */
export async function* playTurn(
  codex: CodexProcess,
  play: Play,
): AsyncGenerator<TurnEvent, TurnEvent> {
  const { turn, host, meter, tools, settings, timers, secrets } = play;
  const { command, maxOutputBytes } = settings;
  const queue = createEventQueue<TurnEvent>();
  using steering = createSteering(codex, host);
  const changes = new Map<string, readonly PatchedFile[]>();
  const approvals = createApprovals({
    host,
    cwd: turn.workspace?.folder ?? settings.cwd,
    isOurs: (server) => codex.toolServer.isOurs(server),
    changesOf: (itemId) => changes.get(itemId),
    isAllowedAnyway: (request, files) => isAllowedAnyway(play, request, files),
    onNote: (note) => steering.add(`A person denied this and said: ${note}`),
  });
  const translate = createItemTranslator({
    tools,
    toolName: (server, tool) => codex.toolServer.toolName(server, tool),
  });
  using outputs = createCommandOutputs({ timers, secrets, push: (event) => queue.push(event) });
  const tokens = new TokenCount();
  let characters = 0;
  using _listening = codex.listen({
    onNotification(method, params) {
      noteRequest(method, params, { approvals, changes });
      if (params["threadId"] !== codex.sessionId) return;
      // What a resumed thread had used before is told again, as of the turn it was used in.
      const isCount = method === "thread/tokenUsage/updated" && params["turnId"] === codex.turnId;
      if (isCount && meter.counted(tokens.read(params))) queue.push(meter.reading());
      outputs.read(method, params);
      for (const event of translate(method, params)) {
        characters += sizeOf(event);
        queue.push(event);
      }
      // It is not slowed down by whoever listens, so it must not be let run away.
      if (characters > maxOutputBytes) queue.end();
    },
    onRequest: (method, params, id) => approvals.answer(method, params, id),
  });
  const answer = runTurns(codex, play, () => steering.left());
  const answered = answer.then(
    () => true,
    () => true,
  );
  void answered.then(() => queue.end());
  try {
    for (;;) {
      const event = await untilAborted(host.signal, queue.next());
      if (event === undefined) break;
      if (event.type === "text" || event.type === "thinking") meter.wrote(event.delta);
      yield* tools.tell([event]);
    }
    if (characters > maxOutputBytes) return saidTooMuch(command, maxOutputBytes);
    return endOf(await answer, command);
  } finally {
    approvals.withdrawAll();
    await letGo(codex, answered, play);
  }
}

/** An agent that may edit is not asked about changes that stay in its workspace. */
async function isAllowedAnyway(
  { turn: { workspace }, permissions }: Pick<Play, "turn" | "permissions">,
  { mayAlways }: PermissionRequest,
  files: readonly PatchedFile[] | undefined,
): Promise<boolean> {
  // With `sandbox` it asks only about what leaves its sandbox.
  if (permissions !== "edit" || workspace === undefined || files === undefined) return false;
  const paths = files.flatMap(({ path, movedTo = path }) => [path, movedTo]);
  // One that asks for more than these files is asked about.
  return mayAlways !== false && staysIn(workspace.folder, paths);
}

/** What was added too late for one turn of Codex is the next, as part of the same answer. */
async function runTurns(
  codex: CodexProcess,
  { turn, settings }: Play,
  left: () => Promise<readonly string[]>,
): Promise<Fields> {
  const wishes = wishesOf(turn, settings, codex);
  let input = turnInput(turn, codex);
  codex.instructions = turn.instructions;
  for (;;) {
    const ended = await codex.runTurn(input, wishes);
    const added = await left();
    if (added.length === 0 || ended["status"] !== "completed") return ended;
    input = added.map(textInput);
  }
}

/** What is needed to understand a request, and whether it has been answered elsewhere; of every thread. */
function noteRequest(
  method: string,
  params: Fields,
  noted: {
    readonly approvals: CodexApprovals;
    readonly changes: Map<string, readonly PatchedFile[]>;
  },
): void {
  if (method === "serverRequest/resolved") {
    const { requestId } = params;
    if (isRequestId(requestId)) noted.approvals.withdraw(requestId);
    return;
  }
  const item = fieldsOf(params["item"]);
  const id = textIn(item, "id");
  if (item["type"] !== "fileChange" || id === undefined) return;
  if (method === "item/started") noted.changes.set(id, changesIn(item));
  else if (method === "item/completed") noted.changes.delete(id);
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "number" || typeof value === "string";
}

function endOf(turn: Fields, program: string): TurnEvent {
  switch (turn["status"]) {
    case "completed":
      return { type: "completed", stopReason: "stop" };
    case "interrupted":
      return failed("unknown", `"${program}" stopped without being told to.`);
    default:
      return turnFailure(turn);
  }
}

/**
 * Leaves Codex without a turn under way and without commands that nobody waits for, or without a process. In a workspace
 * that is so at every end, because what is made there is handed over.
 */
async function letGo(
  codex: CodexProcess,
  answered: Promise<boolean>,
  { turn, timers }: Play,
): Promise<void> {
  const isDone = await Promise.race([answered, setImmediate(false)]);
  if (!codex.isAlive || (isDone && turn.workspace === undefined)) return;
  const late = Promise.withResolvers<boolean>();
  const cancel = timers.after(LET_GO_MS, () => late.resolve(false));
  const hasStopped = await Promise.race([quiet(codex, answered, isDone), late.promise]);
  cancel();
  if (!hasStopped) await codex.stop();
}

async function quiet(
  codex: CodexProcess,
  answered: Promise<boolean>,
  isDone: boolean,
): Promise<boolean> {
  // Refused when the turn is just ending by itself.
  if (!isDone) codex.interrupt().catch(() => undefined);
  await answered;
  return codex.endCommands().then(
    () => true,
    () => false,
  );
}

function sizeOf(event: TurnEvent): number {
  if (event.type === "text" || event.type === "thinking") return event.delta.length;
  return event.type === "tool.returned" ? event.text.length : 0;
}
