/** Why is it doing that: what an agent shows, the entry of the log behind it, how old that is, and both as they are. */
import type { WorldAgent } from "@atrium/wire/world";
import type { ReactNode } from "react";
import { useStore } from "zustand";
import { useTexts, useWorld } from "../../app/app.ts";
import { createFetchJson } from "../../app/server/fetch-json.ts";
import { fetchOwn } from "../../app/server/own-server.ts";
import type { Texts } from "../../i18n/texts.ts";
import { Field, RawJson } from "../../ui/controls.tsx";
import { useRead } from "../../ui/use-read.ts";
import { spanOf } from "../office/text/spans.ts";
import { useNow } from "../office/view/now.ts";
import { entryOfSignal, findEntry, lastHeard, type LogEntry } from "./pose-entry.ts";
import type { SignalFeed } from "./signal-feed.ts";
import { agentsIn, gistOf, type SignalRow } from "./signal-rows.ts";

const TICK_MS = 1_000;

export interface WhyPanelProps {
  readonly feed: SignalFeed | undefined;
  readonly agentId: string | undefined;
  readonly onAgent: (agentId: string | undefined) => void;
}

export function WhyPanel({ feed, agentId, onAgent }: WhyPanelProps): ReactNode {
  const words = useTexts().signals;
  const agents = useWorld(({ snapshot }) => snapshot?.agents) ?? [];
  const agent = agents.find((each) => each.agent_id === agentId);
  return (
    <aside className="signals-why" aria-label={words.whyTitle}>
      <h2>{words.whyTitle}</h2>
      <Field label={words.agent}>
        <select
          value={agent?.agent_id ?? ""}
          onChange={(event) => onAgent(event.target.value === "" ? undefined : event.target.value)}
        >
          <option value="">{words.whyPick}</option>
          {agents.map(({ agent_id: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {agent === undefined || feed === undefined ? (
        <p className="hint">{words.whyHint}</p>
      ) : (
        <>
          <Why agent={agent} feed={feed} />
          <LatestSignal agentId={agent.agent_id} feed={feed} />
        </>
      )}
    </aside>
  );
}

interface WhyProps {
  readonly agent: WorldAgent;
  readonly feed: SignalFeed;
}

function Why({ agent, feed }: WhyProps): ReactNode {
  const all = useTexts();
  const words = all.signals;
  const found = useEntry(agent.because_seq);
  const latest = useLatest(feed, agent.agent_id);
  const heardAt = lastHeard(agent, latest?.signal);
  const isResting = agent.state === "IdleAtHome";
  const entryOfLatest = isResting ? undefined : entryOfSignal(latest?.signal);
  const entry = agent.because_seq === undefined ? entryOfLatest : found;
  const now = useNow(TICK_MS);
  const does = agent.is_paused === true ? all.agentPaused : all.agentDoes[agent.state];
  return (
    <div className="signals-answer">
      <p className="signals-does">
        <strong>{agent.name}</strong> {does}
      </p>
      <dl>
        <dt>{words.runtime}</dt>
        <dd>{agent.runtime ?? (agent.is_visitor === true ? words.visitor : "–")}</dd>
        <dt>{words.whyHeard}</dt>
        <dd>{heardAt === undefined ? "–" : words.ago(spanOf(now - heardAt, all))}</dd>
        <dt>{words.whyEntry}</dt>
        <dd>
          {entryText(agent.because_seq ?? entryOfLatest?.seq, words)}
          {isFound(entry) && `, ${words.ago(spanOf(now - entry.at, all))}`}
        </dd>
      </dl>
      {entry === "elsewhere" && <p className="hint">{words.whyElsewhere}</p>}
      {isFound(entry) && (
        <details open>
          <summary>{words.whyRawEntry}</summary>
          <RawJson value={entry.raw} />
        </details>
      )}
      <details>
        <summary>{words.whyRawAgent}</summary>
        <RawJson value={agent} />
      </details>
    </div>
  );
}

function isFound(entry: EntrySearch): entry is LogEntry {
  return entry !== undefined && entry !== "elsewhere";
}

function entryText(seq: number | undefined, words: Texts["signals"]): string {
  return seq === undefined ? words.whyNone : words.entryNumber(seq);
}

interface LatestSignalProps {
  readonly agentId: string;
  readonly feed: SignalFeed;
}

/** What an agent does outside projects moves nobody in the office, but is told all the same. */
function LatestSignal({ agentId, feed }: LatestSignalProps): ReactNode {
  const all = useTexts();
  const words = all.signals;
  const latest = useLatest(feed, agentId);
  const now = useNow(TICK_MS);
  if (latest === undefined) return <p className="hint">{words.whyNoSignal}</p>;
  const { signal, position } = latest;
  return (
    <div className="signals-answer">
      <h3>{words.whySignal}</h3>
      <p>
        <code>{signal.type}</code> {gistOf(signal)}
      </p>
      <p className="hint">
        {words.ago(spanOf(now - signal.timestamp, all))}
        {position !== undefined && `, ${words.position(position)}`}
      </p>
      <details>
        <summary>{words.raw}</summary>
        <RawJson value={signal} />
      </details>
    </div>
  );
}

function useLatest(feed: SignalFeed, agentId: string): SignalRow | undefined {
  return useStore(feed.store, ({ rows }) =>
    rows.findLast(({ signal }) => agentsIn(signal).includes(agentId)),
  );
}

/** Undefined: not yet; elsewhere: it is none that the world tells. */
type EntrySearch = LogEntry | "elsewhere" | undefined;

function useEntry(seq: number | undefined): EntrySearch {
  const wanted = seq === undefined ? undefined : String(seq);
  return useRead(wanted, async () => {
    return (await findEntry(createFetchJson(fetchOwn), seq ?? 0)) ?? "elsewhere";
  });
}
