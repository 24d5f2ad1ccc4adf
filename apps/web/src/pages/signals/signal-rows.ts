/**
 * Signals as rows. Words that pass piece by piece are one row that grows; what is kept of them takes its place. Only
 * so many rows are held; the rest is in the log. Pure.
 */
import type { SignalEnvelope } from "@atrium/wire/signal";

export interface SignalRow {
  /** Unique among rows, and stays. */
  readonly key: number;
  readonly signal: SignalEnvelope;
  /** Its place in the log; what only passes has none. */
  readonly position: string | undefined;
}

export interface SignalRows {
  /** Oldest first. */
  readonly rows: readonly SignalRow[];
  readonly nextKey: number;
}

export interface PositionedSignal {
  readonly signal: SignalEnvelope;
  readonly position: string | undefined;
}

export const NO_ROWS: SignalRows = { rows: [], nextKey: 1 };
export const MAX_ROWS = 5_000;
/** How far back the words of the same sentence are looked for. */
const NEAR = 200;
const MAX_TEXT_CHARS = 20_000;
const MAX_GIST_CHARS = 240;

export function addSignals(
  { rows, nextKey }: SignalRows,
  signals: readonly PositionedSignal[],
  most: number = MAX_ROWS,
): SignalRows {
  const next = [...rows];
  let key = nextKey;
  for (const { signal, position } of signals) {
    const at = isWords(signal) ? placeOfSame(next, signal) : -1;
    const same = next[at];
    if (same === undefined) {
      next.push({ key, signal, position });
      key += 1;
    } else {
      next[at] = { key: same.key, signal: grown(same.signal, signal), position };
    }
  }
  return { rows: next.length > most ? next.slice(-most) : next, nextKey: key };
}

/** What was told before all of these. */
export function prependSignals(
  { rows, nextKey }: SignalRows,
  signals: readonly PositionedSignal[],
): SignalRows {
  const earlier = signals.map((each, at) => ({ key: nextKey + at, ...each }));
  return { rows: [...earlier, ...rows], nextKey: nextKey + signals.length };
}

/** Which agents it is about; of a dispatch both ends. */
export function agentsIn({ type, payload }: SignalEnvelope): readonly string[] {
  const fields: Readonly<Record<string, unknown>> = payload;
  const names =
    type === "task_dispatch"
      ? [fields["to"], fields["from"]]
      : [fields["agentId"], fields["entityId"]];
  return names.filter((name) => typeof name === "string");
}

const SAID = [
  "description",
  "content",
  "message",
  "toolName",
  "reason",
  "result",
  "title",
  "name",
  "action",
  "taskId",
] as const;

/** The one field a person looks for first, shortened. */
export function gistOf(signal: SignalEnvelope): string {
  const { type, payload } = signal;
  const fields: Readonly<Record<string, unknown>> = payload;
  if (type === "agent_state_change") return `${String(fields["from"])} → ${String(fields["to"])}`;
  if (type === "token_usage") {
    const { promptTokens, completionTokens, cost } = fields;
    const price = typeof cost === "number" ? ` · $${cost}` : "";
    return `${String(promptTokens)} + ${String(completionTokens)}${price}`;
  }
  const name = SAID.find((each) => typeof fields[each] === "string" && fields[each] !== "");
  const text = name === undefined ? JSON.stringify(payload) : String(fields[name]);
  if (text.length <= MAX_GIST_CHARS) return text;
  // Of what is being said the end is new.
  return isWords(signal) && !isKept(signal)
    ? `…${text.slice(-MAX_GIST_CHARS)}`
    : text.slice(0, MAX_GIST_CHARS);
}

function isWords({ type, payload }: SignalEnvelope): boolean {
  return (type === "text_delta" || type === "thinking") && "agentId" in payload;
}

function placeOfSame(rows: readonly SignalRow[], signal: SignalEnvelope): number {
  for (let at = rows.length - 1; at >= Math.max(0, rows.length - NEAR); at--) {
    const other = rows[at]?.signal;
    if (other === undefined || other.correlationId !== signal.correlationId) continue;
    if (agentsIn(other)[0] !== agentsIn(signal)[0]) continue;
    if (other.type === signal.type) return isKept(other) ? -1 : at;
    // Something else happened in between: what is said now is said anew, unless it is the whole of it.
    if (!isKept(signal) && !isWords(other)) return -1;
  }
  return -1;
}

function grown(before: SignalEnvelope, signal: SignalEnvelope): SignalEnvelope {
  if (isKept(signal)) return signal;
  const content = `${contentOf(before)}${contentOf(signal)}`.slice(-MAX_TEXT_CHARS);
  return { ...signal, payload: { ...signal.payload, content } };
}

function contentOf({ payload }: SignalEnvelope): string {
  const fields: Readonly<Record<string, unknown>> = payload;
  return typeof fields["content"] === "string" ? fields["content"] : "";
}

function isKept({ metadata }: SignalEnvelope): boolean {
  return metadata?.["kept"] !== undefined && metadata["kept"] !== false;
}
