/**
 * The patch of the settings that has a found agent work for the whole crew or for one of it. The page and the
 * command line make the same one.
 */
export interface ConnectRequest {
  /** What to call the runtime. */
  readonly name: string;
  /** As it was found. */
  readonly runtime: Readonly<Record<string, unknown>>;
  /** Of a model server: which of its models; left out: the one that was proposed. */
  readonly model?: string | undefined;
  /** Whom it is for; left out: the whole crew. */
  readonly agentId?: string | undefined;
  readonly permissions?: "ask" | "edit" | "sandbox" | undefined;
  /** In US dollars, for one run; null: no longer limited here. */
  readonly runCost?: number | null | undefined;
  /** For one run; null: no longer limited here. */
  readonly runTokens?: number | null | undefined;
  /** The variable in whose place a key is kept for it. */
  readonly keyName?: string | undefined;
}

/** As `settings.patch` takes it. */
export interface ConnectChange {
  readonly patch: Record<string, unknown>;
  /** Variables that people have added to the runtime stay; nobody is shown which. */
  readonly unitePaths?: string[];
}

export function connectPatch(
  { name, runtime, model, agentId, permissions, keyName, ...limits }: ConnectRequest,
  crew: readonly { readonly id: string }[],
): ConnectChange {
  const chosen = model === undefined ? runtime : { ...runtime, model };
  const wanted = keyName === undefined ? chosen : withVariable(chosen, keyName);
  const runtimes = { [name]: wanted };
  const united = Array.isArray(wanted["env"]) ? { unitePaths: [`runtimes.${name}.env`] } : {};
  const cap = capOf(limits);
  if (agentId !== undefined) {
    const terms = { ...(permissions && { permissions }), ...(cap && { limits: cap }) };
    return { patch: { runtimes, agents: { [agentId]: { runtime: name, ...terms } } }, ...united };
  }
  // A member that names a runtime of its own no longer does; null removes what is there.
  const member = { runtime: null, ...(permissions && { permissions }) };
  const patch = {
    runtimes,
    crewRuntime: name,
    agents: Object.fromEntries(crew.map(({ id }) => [id, member])),
    ...(cap && { budgets: cap }),
  };
  return { patch, ...united };
}

function withVariable(
  runtime: ConnectRequest["runtime"],
  variable: string,
): ConnectRequest["runtime"] {
  const { env } = runtime;
  const named: readonly unknown[] = Array.isArray(env) ? env : [];
  return { ...runtime, env: [...new Set([...named, variable])] };
}

type Limits = Pick<ConnectRequest, "runCost" | "runTokens">;

function capOf({ runCost: cost, runTokens: tokens }: Limits): object | undefined {
  if (cost === undefined && tokens === undefined) return undefined;
  return { run: { ...(cost !== undefined && { cost }), ...(tokens !== undefined && { tokens }) } };
}
