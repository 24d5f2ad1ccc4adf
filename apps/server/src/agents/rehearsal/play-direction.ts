/**
 * Carries out one stage direction. What it returns is the line to say about it, or how the turn fails.
 */
import {
  readPermission,
  type Permission,
  type TurnEvent,
  type TurnHost,
} from "../turn/agent-runtime.ts";
import { aborted, untilAborted } from "../turn/until-aborted.ts";
import type { Meter } from "../turn/usage/usage-meter.ts";
import { useTool } from "../turn/use-tool.ts";
import type { Direction } from "./directions.ts";

export type DirectionResult =
  | { readonly type: "line"; readonly text: string }
  | { readonly type: "silence" }
  | { readonly type: "failure"; readonly reason: string };

const silence: DirectionResult = { type: "silence" };

export async function* playDirection(
  direction: Direction,
  { host, meter, number }: { host: TurnHost; meter: Meter; number: number },
): AsyncGenerator<TurnEvent, DirectionResult> {
  host.signal.throwIfAborted();
  switch (direction.type) {
    case "say":
      return line(direction.text);
    case "malformed":
      return line(direction.advice);
    case "ask":
      return line(await ask(host, direction.question, direction.options));
    case "approve":
      return line(await requestPermission(host, direction.tool, direction.summary));
    case "tool": {
      const { name, input } = direction;
      const result = yield* useTool(host, { id: `tool_${number}`, name, input });
      return line(`${name} ${result.isError ? "failed" : "returned"}: ${result.text}`);
    }
    case "sleep":
      await host.sleep(direction.ms);
      return silence;
    case "tokens":
      meter.spent(direction.count);
      yield meter.reading();
      return silence;
    case "fail":
      return { type: "failure", reason: direction.reason };
    case "hang":
      return aborted(host.signal);
  }
}

async function ask(host: TurnHost, text: string, options: readonly string[]): Promise<string> {
  const question = host.ask({ text, options });
  const answer = await answered(host, question);
  if (!answer.ok) return `I could not ask "${text}": ${answer.problem}`;
  return answer.value === null
    ? `Nobody answered "${text}" in time.`
    : `You answered "${text}" with: ${answer.value}`;
}

const DECIDED: Readonly<Record<Permission, string>> = {
  allowed: "Allowed",
  denied: "Denied",
  expired: "Not decided in time, so not done",
};

async function requestPermission(host: TurnHost, tool: string, summary: string): Promise<string> {
  const answer = await answered(host, host.requestPermission({ tool, input: summary }));
  if (!answer.ok) return `I could not ask for permission to ${tool} ${summary}: ${answer.problem}`;
  const { permission, note } = readPermission(answer.value);
  return `${DECIDED[permission]}: ${tool} ${summary}${note === undefined ? "" : ` (${note})`}`;
}

type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

/** A host that cannot ask is something to report; an aborted turn is not. */
async function answered<T>(host: TurnHost, answer: Promise<T>): Promise<Answered<T>> {
  try {
    return { ok: true, value: await untilAborted(host.signal, answer) };
  } catch (cause) {
    host.signal.throwIfAborted();
    return { ok: false, problem: cause instanceof Error ? cause.message : String(cause) };
  }
}

function line(text: string): DirectionResult {
  return { type: "line", text };
}
