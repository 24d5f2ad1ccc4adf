/**
 * Which model and how much effort a turn wants. Codex keeps both for the turns that follow, so that they are always
 * said: as the conversation wishes, else as the settings say, else as the thread was started.
 */
import type { Turn } from "../../turn/agent-runtime.ts";
import type { CodexProcess } from "../app-server/codex-process.ts";
import type { CompleteCodexSettings } from "../app-server/codex-settings.ts";

const EFFORTS = new Map([
  ["minimal", "minimal"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
  ["xhigh", "xhigh"],
  ["max", "xhigh"],
]);

export function wishesOf(
  { wishes }: Pick<Turn, "wishes">,
  settings: Pick<CompleteCodexSettings, "model">,
  started: Pick<CodexProcess, "model" | "effort">,
): { readonly model?: string; readonly effort?: string } {
  const model = modelOf(wishes.model) ?? settings.model ?? started.model;
  const effort = EFFORTS.get(wishes.thinking ?? "") ?? started.effort;
  return { ...(model !== undefined && { model }), ...(effort !== undefined && { effort }) };
}

/** A wish may name the provider, too, as the gateway's clients do. */
export function modelOf(wish: string | undefined): string | undefined {
  const model = wish?.replace(/^(?:codex|openai)\//, "");
  return model === "default" ? undefined : model;
}
