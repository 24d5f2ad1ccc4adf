/**
 * Hooks of Gemini CLI in its settings, as text in and text out: what the user wrote there stays, comments and spaces
 * too. Pure.
 */
import { editJson, withoutComments } from "@atrium/wire";
import { isRecord } from "../../server/settings.ts";

/** In milliseconds; it does not wait for the end of a session. */
const TIMEOUTS_MS: Readonly<Record<string, number>> = {
  SessionStart: 5_000,
  BeforeAgent: 5_000,
  BeforeTool: 5_000,
  AfterTool: 5_000,
  AfterAgent: 5_000,
  Notification: 5_000,
  SessionEnd: 3_000,
};
/** Ours are known by how their command ends, wherever the home is. */
const OURS = /\/report\.sh' \w+ gemini$/;

/** Undefined where the text is not what Gemini reads. */
export function addGeminiHooks(text: string | null, script: string): string | undefined {
  const start = text === null || text.trim() === "" ? "{}\n" : text;
  const hooks = hooksIn(start);
  if (hooks === undefined) return undefined;
  let edited = start;
  for (const [event, timeout] of Object.entries(TIMEOUTS_MS)) {
    const entry = { type: "command", name: "atrium", command: commandFor(event, script), timeout };
    const group = { hooks: [entry] };
    const before = hooks.get(event);
    const place = before === undefined ? [event] : [event, before.length];
    const value = before === undefined ? [group] : group;
    edited = editJson(edited, { path: ["hooks", ...place], value });
  }
  return edited;
}

/** Undefined where the text is not what Gemini reads. */
export function removeGeminiHooks(text: string): string | undefined {
  const hooks = hooksIn(text);
  if (hooks === undefined) return undefined;
  let edited = text;
  let left = hooks.size;
  for (const [event, groups] of hooks) {
    const ours = groups.flatMap((group, index) => (isOurs(group) ? [index] : []));
    // From the last on, so that the numbers of those before it stay.
    const isAll = ours.length > 0 && ours.length === groups.length;
    const places = isAll ? [[event]] : ours.toReversed().map((index) => [event, index]);
    for (const place of places) edited = editJson(edited, { path: ["hooks", ...place] });
    if (isAll) left--;
  }
  return left === 0 && hooks.size > 0 ? editJson(edited, { path: ["hooks"] }) : edited;
}

/** With the script gone, as after leaving, a session that is still open is not disturbed. */
function commandFor(event: string, script: string): string {
  const quoted = `'${script.replaceAll("'", String.raw`'\''`)}'`;
  return `[ -f ${quoted} ] || exit 0; exec sh ${quoted} ${event} gemini`;
}

/** The groups of hooks by event; undefined where they are not what Gemini reads. */
function hooksIn(text: string): ReadonlyMap<string, readonly unknown[]> | undefined {
  const settings = parse(text);
  if (!isRecord(settings)) return undefined;
  const { hooks = {} } = settings;
  if (!isRecord(hooks)) return undefined;
  const groups = Object.entries(hooks).flatMap(([event, list]): [string, unknown[]][] =>
    Array.isArray(list) ? [[event, list]] : [],
  );
  return groups.length === Object.keys(hooks).length ? new Map(groups) : undefined;
}

function isOurs(group: unknown): boolean {
  const hooks: unknown = isRecord(group) ? group["hooks"] : undefined;
  return (
    Array.isArray(hooks) &&
    hooks.some((hook: unknown) => isRecord(hook) && OURS.test(String(hook["command"])))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(withoutComments(text));
  } catch {
    return undefined;
  }
}
