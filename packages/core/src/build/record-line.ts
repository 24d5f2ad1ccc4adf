/** What becomes of a line of the agent's in the log: told, held until the checks have passed, or set aside. */
import type { BuildCommand, BuildEvent, HeldLine } from "./events.ts";
import { isHolding, MAX_HELD, mustWait } from "./held-lines.ts";
import { interpret, type Interpretation } from "./interpret.ts";
import type { StartedBuild } from "./state.ts";

type Command<Type extends BuildCommand["type"]> = Extract<BuildCommand, { readonly type: Type }>;

/** An agent that writes nonsense for ever is not kept for ever. */
const MAX_REJECTED = 500;
const MAX_KEPT_CHARS = 4_000;

export function record(build: StartedBuild, command: Command<"record">): readonly BuildEvent[] {
  const { origin, text, parsed } = command;
  const isPresent = origin.runId === build.turn.runId;
  if (isPresent && origin.line <= build.heard) return [];
  const isOver = !isPresent || build.isChecking;
  if (isOver) return reject(build, { origin, text, why: "its turn is over" });
  if (!parsed.ok) return reject(build, { origin, text, why: parsed.why });
  if (isHolding(build, parsed.event)) return hold(build, { ...parsed, text, origin });
  const result = interpret(build, parsed.event);
  if (!result.ok) return reject(build, { origin, text, why: result.why });
  if (mustWait(build, result.events)) return hold(build, { ...parsed, text, origin });
  return tell(command, result);
}

export function tell(
  { origin, text, parsed }: Omit<Command<"record">, "type">,
  result: Extract<Interpretation, { readonly ok: true }>,
): readonly BuildEvent[] {
  const repairs = [...(parsed.ok ? parsed.repairs : []), ...result.repairs];
  return [
    ...(repairs.length === 0
      ? []
      : [{ type: "build.repaired", why: repairs.join("; "), text: kept(text), origin } as const]),
    ...result.events.map((event) => ({ type: "build.told", telling: event, origin }) as const),
  ];
}

function hold(build: StartedBuild, line: HeldLine): readonly BuildEvent[] {
  const { event, repairs, origin } = line;
  const text = kept(line.text);
  return build.held.length < MAX_HELD
    ? [{ type: "build.held", event, repairs, text, origin }]
    : reject(build, { origin, text, why: "too much was said before the checks" });
}

export function reject(
  { rejected }: StartedBuild,
  { origin, text, why }: Omit<Command<"set-aside">, "type">,
): readonly BuildEvent[] {
  if (rejected >= MAX_REJECTED) return [];
  return [{ type: "build.rejected", why, text: kept(text), origin }];
}

function kept(text: string): string {
  return text.slice(0, MAX_KEPT_CHARS);
}
