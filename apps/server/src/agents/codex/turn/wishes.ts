/**
 * Which model, how much effort and which mode a turn wants. Codex keeps all three for the turns that follow, so that they
 * are always said: as the conversation wishes, else as the settings say, else as the thread was started.
 */
import type { Turn } from "../../turn/agent-runtime.ts";
import type { CodexProcess } from "../app-server/codex-process.ts";
import { DEFAULT_MODE, type CompleteCodexSettings } from "../app-server/codex-settings.ts";

const EFFORTS = new Map([
  ["minimal", "minimal"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "xhigh"],
  ["max", "xhigh"],
]);

interface Wishes {
  readonly model?: string;
  readonly effort?: string;
  readonly collaborationMode?: object;
}

export function wishesOf(
  { wishes }: Pick<Turn, "wishes">,
  settings: Pick<CompleteCodexSettings, "model" | "mode">,
  started: Pick<CodexProcess, "model" | "effort" | "mode">,
): Wishes {
  const model = modelOf(wishes.model) ?? settings.model ?? started.model;
  const effort = EFFORTS.get(wishes.thinking ?? "") ?? started.effort;
  return {
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(model !== undefined && modeOf(settings.mode, started.mode, { model, effort })),
  };
}

/** Of a thread that has another one, such as from a terminal. It counts before the model and the effort, so has them too. */
function modeOf(
  wanted: CompleteCodexSettings["mode"],
  before: string,
  { model, effort = null }: { readonly model: string; readonly effort: string | null | undefined },
): Pick<Wishes, "collaborationMode"> {
  if (wanted === DEFAULT_MODE && before === DEFAULT_MODE) return {};
  const settings = { model, reasoning_effort: effort, developer_instructions: null };
  return { collaborationMode: { mode: wanted, settings } };
}

/** A wish may name the provider, too, as the gateway's clients do. */
export function modelOf(wish: string | undefined): string | undefined {
  const model = wish?.replace(/^(?:codex|openai)\//, "");
  return model === "default" ? undefined : model;
}
