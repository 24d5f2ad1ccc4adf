/** A signal, as far as the core needs to know it: who says what about whom. */
export interface Signal {
  readonly id: string;
  readonly type: string;
  readonly timestamp: number;
  readonly source: string;
  readonly correlationId?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * Words and pointers on their way. They are told as they come and kept together, not one by one: of
 * words all, of pointers the last.
 */
const PASSING: ReadonlySet<string> = new Set(["text_delta", "thinking", "user.point"]);

export function isEphemeral({ type }: Pick<Signal, "type">): boolean {
  return PASSING.has(type);
}

/** Whom a signal is about: the agent, for a dispatch both, on the board the thing that was touched. */
export function agentsOf({ type, payload }: Pick<Signal, "type" | "payload">): readonly string[] {
  const names =
    type === "task_dispatch"
      ? [payload["to"], payload["from"]]
      : [payload["agentId"], payload["entityId"]];
  return names.filter((name) => typeof name === "string");
}
