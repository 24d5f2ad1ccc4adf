/**
 * From entries of the log to signals: the one translator, for what is told live and what is told again.
 *
 * Pure. The same entry, after the same entries, gives the same signals with the same ids. Anything the schema has no
 * place for is in `metadata`.
 */
import {
  approval,
  build,
  conversation,
  DEFAULT_HANDLE,
  handleOf,
  owns,
  project,
  question,
  signalSource,
  stepActivity,
  type Activity,
  type BatchListener,
  type StateChange,
} from "@atrium/core";
import { buildDrafts } from "./build-drafts.ts";
import { OutgoingSignal } from "./outgoing-signal.ts";
import { formatPosition } from "./position.ts";
import { projectDrafts } from "./project-drafts.ts";
import { runDrafts } from "./run-drafts.ts";
import { truncate, MAX_SUMMARY_CHARS, type SignalDraft } from "./signal-draft.ts";

export type SignalEntry = Parameters<BatchListener>[0][number];

export interface TranslatorDeps {
  /** Makes ids that no other log gives out. */
  readonly epoch: string;
  readonly agentIdOf: (handle: string) => string;
}

export interface Translated {
  readonly activity: Activity;
  readonly signals: readonly OutgoingSignal[];
}

export type TranslateSignals = (before: Activity, entry: SignalEntry) => Translated;

/** Nobody else may be called so. */
export const OWN_SOURCE = "atrium";

export function createTranslate({ epoch, agentIdOf }: TranslatorDeps): TranslateSignals {
  function own(
    { seq, at: timestamp }: SignalEntry,
    drafts: readonly SignalDraft[],
    correlationId: string | undefined,
    place: Readonly<Record<string, string>>,
  ): readonly OutgoingSignal[] {
    const correlated = correlationId === undefined ? {} : { correlationId };
    return drafts.map(({ type, payload, isKept }, index) => {
      const position = formatPosition(seq, index);
      const about = { id: `${epoch}:${position}`, type, timestamp, source: OWN_SOURCE };
      const content = { metadata: { seq, ...place }, payload: { ...payload } };
      return new OutgoingSignal({ ...about, ...correlated, ...content }, position, isKept);
    });
  }

  function ofEntry(
    entry: SignalEntry,
    before: Activity,
    change: StateChange | null,
  ): readonly OutgoingSignal[] {
    const [kind = ""] = entry.stream.split("/", 1);
    const id = entry.stream.slice(kind.length + 1);
    const changes = change === null ? [] : [changeDraft(change, agentIdOf(change.handle))];
    switch (kind) {
      case conversation.name: {
        const event = conversation.read(entry);
        const runId = "runId" in event ? event.runId : undefined;
        const run = runId === undefined ? undefined : before.runs.get(runId);
        const drafts = runDrafts(event, agentIdOf(handleOf(id)), run);
        return own(entry, [...drafts, ...changes], runId, { conversationKey: id });
      }
      case approval.name:
      case question.name:
        if (change === null) return [];
        return own(entry, changes, change.runId, { conversationKey: change.key });
      case project.name: {
        const drafts = projectDrafts(project.read(entry), id, agentIdOf(DEFAULT_HANDLE));
        return own(entry, drafts, id, { projectId: id });
      }
      case build.name:
        return own(entry, buildDrafts(build.read(entry), id), id, { buildId: id });
      default:
        return [];
    }
  }

  return (before, entry) => {
    if (owns(signalSource, entry.stream)) {
      const { signals, passed } = signalSource.read(entry);
      const outgoing = signals.map((signal, index) => {
        return new OutgoingSignal(signal, formatPosition(entry.seq, index), passed.includes(index));
      });
      return { activity: before, signals: outgoing };
    }
    const { activity, change } = stepActivity(before, entry);
    return { activity, signals: ofEntry(entry, before, change) };
  };
}

function changeDraft({ from, to, reason }: StateChange, agentId: string): SignalDraft {
  const why = reason === null ? {} : { reason: truncate(reason, MAX_SUMMARY_CHARS) };
  return { type: "agent_state_change", payload: { agentId, from, to, ...why } };
}
