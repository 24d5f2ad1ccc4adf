/** The output of commands as it comes: the end of each, by run and call. Pure. */
export interface Terminal {
  /** Its end; what came before is no longer kept here. */
  readonly text: string;
  /** Something came before. */
  readonly isCut: boolean;
  /** The call has returned. */
  readonly isOver: boolean;
}

const MAX_CHARS = 64_000;
const MAX_TERMINALS = 40;

/** One call of a run, as tools, drafts and terminals are all named; a check is of no run. */
export function callKey(runId: string | undefined, callId: string): string {
  return `${runId ?? ""} ${callId}`;
}

export interface PrintedText {
  readonly delta: string;
  /** It is told from its beginning, or from as far back as is known. */
  readonly isAnew: boolean;
  readonly isOver: boolean;
}

export function printOn(
  terminals: ReadonlyMap<string, Terminal>,
  key: string,
  { delta, isAnew, isOver }: PrintedText,
): ReadonlyMap<string, Terminal> {
  const before = isAnew ? undefined : terminals.get(key);
  const text = (before?.text ?? "") + delta;
  const isCut = text.length > MAX_CHARS || before?.isCut === true;
  const next = new Map(terminals).set(key, { text: text.slice(-MAX_CHARS), isCut, isOver });
  // Those that were first to come are the first to go; what is over can be read again.
  for (const each of next.keys()) {
    if (next.size <= MAX_TERMINALS) break;
    next.delete(each);
  }
  return next;
}

/** What a tool is to run, where its input says so; undefined for tools that run no command. */
export function commandIn(input: string): string | undefined {
  try {
    const read: unknown = JSON.parse(input);
    if (typeof read !== "object" || read === null || !("command" in read)) return undefined;
    const { command } = read;
    if (typeof command === "string") return command;
    return Array.isArray(command) ? command.map(String).join(" ") : undefined;
  } catch {
    return undefined;
  }
}
