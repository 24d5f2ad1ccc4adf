/**
 * Hooks in the settings of another program, as text in and text out. What is there already stays, in its order; a file
 * that is not plain JSON is left alone. Pure.
 */
import type { HookedProgram } from "./hooked-programs.ts";

type Settings = Readonly<Record<string, unknown>>;

/** Our hooks are known by how their command ends, wherever Atrium and its home are; earlier versions started Node. */
const OURS = /(?: signals hook (?:--home .+ )?--from|\/signals\/hook\.sh') [a-z-]+$/;

/** Undefined where the text is not a JSON object. */
export function addHooks(
  text: string | undefined,
  { events, options }: Pick<HookedProgram, "events" | "options">,
  command: string,
): string | undefined {
  const settings = parse(text);
  if (settings === undefined) return undefined;
  const hooks = new Map(Object.entries(withoutOurs(settings)));
  const ours = { hooks: [{ type: "command", command, ...options }] };
  for (const event of events) hooks.set(event, [...listOf(hooks.get(event)), ours]);
  return print({ ...settings, hooks: Object.fromEntries(hooks) }, text);
}

export function removeHooks(text: string): string | undefined {
  const settings = parse(text);
  if (settings === undefined) return undefined;
  const { hooks: _hooks, ...rest } = settings;
  const left = withoutOurs(settings);
  return print(Object.keys(left).length === 0 ? rest : { ...settings, hooks: left }, text);
}

export function hasHooks(text: string | undefined): boolean {
  const settings = parse(text);
  return Object.values(hooksIn(settings ?? {})).some((matchers) => listOf(matchers).some(isOurs));
}

function withoutOurs(settings: Settings): Settings {
  const kept = Object.entries(hooksIn(settings)).flatMap(([event, matchers]) => {
    const others = listOf(matchers).filter((matcher) => !isOurs(matcher));
    const wasOurs = others.length < listOf(matchers).length;
    return others.length === 0 && wasOurs ? [] : [[event, wasOurs ? others : matchers] as const];
  });
  return Object.fromEntries(kept);
}

function isOurs(matcher: unknown): boolean {
  return listOf(objectOf(matcher)?.["hooks"]).some((hook) => {
    const command = objectOf(hook)?.["command"];
    return typeof command === "string" && OURS.test(command);
  });
}

function hooksIn(settings: Settings): Settings {
  return objectOf(settings["hooks"]) ?? {};
}

function parse(text: string | undefined): Settings | undefined {
  if (text === undefined || text.trim() === "") return {};
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Indented as it was, with a line end where there was one. */
function print(settings: Settings, before = "\n"): string {
  const indent = /^[\t ]+(?=")/m.exec(before)?.[0] ?? "  ";
  return `${JSON.stringify(settings, null, indent)}${before.endsWith("\n") ? "\n" : ""}`;
}

function objectOf(value: unknown): Settings | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has members of whatever kind
  return isObject ? (value as Settings) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
