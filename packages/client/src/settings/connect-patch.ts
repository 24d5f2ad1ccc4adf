/**
 * The patch of the settings that has a found agent work for the whole crew or for one of it. The page and the
 * command line make the same one.
 */
export interface ConnectRequest {
  /** What to call the runtime. */
  readonly name: string;
  /** As it was found. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /** Whom it is for; left out: the whole crew. */
  readonly agentId?: string | undefined;
  readonly permissions?: "ask" | "edit" | "sandbox" | undefined;
  /** In US dollars, for one run. */
  readonly runCost?: number | undefined;
}

export function connectPatch(
  { name, runtime, agentId, permissions, runCost }: ConnectRequest,
  crew: readonly { readonly id: string }[],
): Record<string, unknown> {
  const runtimes = { [name]: runtime };
  const cap = runCost === undefined ? undefined : { run: { cost: runCost } };
  if (agentId !== undefined) {
    const terms = { ...(permissions && { permissions }), ...(cap && { limits: cap }) };
    return { runtimes, agents: { [agentId]: { runtime: name, ...terms } } };
  }
  // A member that names a runtime of its own no longer does; null removes what is there.
  const member = { runtime: null, ...(permissions && { permissions }) };
  return {
    runtimes,
    crewRuntime: name,
    agents: Object.fromEntries(crew.map(({ id }) => [id, member])),
    ...(cap && { budgets: cap }),
  };
}
