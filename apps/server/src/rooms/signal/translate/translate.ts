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
  project,
  question,
  signalSource,
  stepActivity,
  type Activity,
  type BatchListener,
  type StateChange,
} from "@atrium/core";
import type { SignalEnvelope } from "@atrium/wire/signal";
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
  readonly told: readonly OutgoingSignal[];
}

export type TranslateSignals = (before: Activity, entry: SignalEntry) => Translated;

/** Nobody else may be called so. */
export const OWN_SOURCE = "atrium";

export function createTranslate({ epoch, agentIdOf }: TranslatorDeps): TranslateSignals {
  function own(
    entry: SignalEntry,
    drafts: readonly SignalDraft[],
    correlationId: string | undefined,
    place: Readonly<Record<string, string>>,
  ): readonly OutgoingSignal[] {
    const { seq, at: timestamp } = entry;
    return drafts.map(({ type, payload, isKept = false }, index) => {
      const id = `${epoch}:${formatPosition(seq, index)}`;
      const signal = {
        id,
        type,
        timestamp,
        source: OWN_SOURCE,
        ...(correlationId !== undefined && { correlationId }),
        metadata: { seq, ...place },
        payload: { ...payload },
      };
      return placed(entry, signal, index, isKept);
    });
  }

  return (before, entry) => {
    const kind = entry.stream.slice(0, entry.stream.indexOf("/"));
    if (kind === signalSource.name) {
      const { signals, passed } = signalSource.read(entry);
      const told = signals.map((each, index) => placed(entry, each, index, passed.includes(index)));
      return { activity: before, told };
    }
    const { activity, change } = stepActivity(before, entry);
    const changes = change === null ? [] : [changeDraft(change, agentIdOf(change.handle))];
    switch (kind) {
      case conversation.name: {
        const event = conversation.read(entry);
        const key = entry.stream.slice(conversation.name.length + 1);
        const runId = "runId" in event ? event.runId : undefined;
        const run = runId === undefined ? undefined : before.runs.get(runId);
        const drafts = runDrafts(event, agentIdOf(handleOf(key)), run);
        return {
          activity,
          told: own(entry, [...drafts, ...changes], runId, { conversationKey: key }),
        };
      }
      case approval.name:
      case question.name:
        if (change === null) return { activity, told: [] };
        return {
          activity,
          told: own(entry, changes, change.runId, { conversationKey: change.key }),
        };
      case project.name: {
        const projectId = entry.stream.slice(project.name.length + 1);
        const drafts = projectDrafts(project.read(entry), projectId, agentIdOf(DEFAULT_HANDLE));
        return { activity, told: own(entry, drafts, projectId, { projectId }) };
      }
      case build.name: {
        const buildId = entry.stream.slice(build.name.length + 1);
        const drafts = buildDrafts(build.read(entry), buildId);
        return { activity, told: own(entry, drafts, buildId, { buildId }) };
      }
      default:
        return { activity, told: [] };
    }
  };
}

function placed(
  { seq }: SignalEntry,
  signal: SignalEnvelope,
  index: number,
  isKept: boolean,
): OutgoingSignal {
  return new OutgoingSignal(signal, formatPosition(seq, index), isKept);
}

function changeDraft({ from, to, reason }: StateChange, agentId: string): SignalDraft {
  const why = reason === null ? {} : { reason: truncate(reason, MAX_SUMMARY_CHARS) };
  return { type: "agent_state_change", payload: { agentId, from, to, ...why } };
}
