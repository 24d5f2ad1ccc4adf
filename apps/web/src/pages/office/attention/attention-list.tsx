/** What needs a person, dearest first, each answered where it stands. */
import { useMemo, useState, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, usePreferences, useShown, useWords, useWorld } from "../../../shell/house.ts";
import { useCamera, useOpen } from "../camera-desk.ts";
import { useIsInviting } from "../inviting.ts";
import { useNow } from "../now.ts";
import { spanOf } from "../spans.ts";
import { answersTo, viewOf, type Answer } from "./answers.ts";
import { useAttentionKeys } from "./attention-keys.ts";
import { needsOf, type Need } from "./needs.ts";

const MOST_SHOWN = 12;
const TICK_MS = 5_000;

export function AttentionList(): ReactNode {
  const words = useWords();
  const now = useNow(TICK_MS);
  const needs = useNeeds(now);
  const camera = useCamera();
  const open = useOpen();
  const answer = useAnswer();
  const canAct = useCanAct();
  const hasKeys = usePreferences().shortcuts === "on";
  const isInviting = useIsInviting();
  const [chosenId, setChosenId] = useState<string>();
  const chosen = needs.find(({ id }) => id === chosenId);
  const choose = (need: Need): void => {
    setChosenId(need.id);
    camera.flyTo(need.place);
  };
  useAttentionKeys(hasKeys, {
    onNext() {
      const next =
        needs[(needs.findIndex(({ id }) => id === chosenId) + 1) % Math.max(1, needs.length)];
      if (next !== undefined) choose(next);
    },
    onOpen: () => chosen !== undefined && open(viewOf(chosen)),
    onKey(key) {
      const given = chosen && answersTo(chosen, words).find(({ keys }) => keys.includes(key));
      if (given !== undefined && canAct) answer(given);
    },
  });
  // Who comes for the first time is invited instead.
  if (needs.length === 0 && isInviting) return null;
  return (
    <section className="card attention" aria-labelledby="attention-title">
      <header className="row spread">
        <h2 id="attention-title">{words.needsTitle}</h2>
        {needs.length > 0 && (
          <span className="chip" data-tone="asks" aria-label={words.needsCount(needs.length)}>
            {needs.length}
          </span>
        )}
      </header>
      {needs.length === 0 ? (
        <p className="hint">{words.needsNothing}</p>
      ) : (
        <ul className="needs">
          {needs.slice(0, MOST_SHOWN).map((need) => (
            <NeedItem
              key={need.id}
              need={need}
              now={now}
              isChosen={need.id === chosenId}
              onChoose={() => choose(need)}
            />
          ))}
        </ul>
      )}
      {needs.length > 0 && hasKeys && <p className="hint attention-keys">{words.needsKeys}</p>}
    </section>
  );
}

interface NeedItemProps {
  readonly need: Need;
  readonly now: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function NeedItem({ need, now, isChosen, onChoose }: NeedItemProps): ReactNode {
  const words = useWords();
  const open = useOpen();
  const answer = useAnswer();
  const canAct = useCanAct();
  const agent = useShown(
    ({ snapshot }) =>
      snapshot?.agents.find(({ agent_id }) => agent_id === need.agentId)?.name ?? need.agentId,
  );
  const { kind, since, held, title } = need;
  const waited = since === undefined ? undefined : words.waited(spanOf(now - since, words));
  return (
    <li
      className="need"
      data-kind={kind}
      data-chosen={isChosen}
      aria-current={isChosen || undefined}
    >
      <button type="button" className="need-what" onClick={onChoose}>
        <span className="need-kind">
          {agent === undefined ? words.needKinds[kind] : `${words.needKinds[kind]} · ${agent}`}
        </span>
        <span className="need-title">{title}</span>
        <span className="hint">
          {[waited, held > 0 ? words.holdsUp(held) : undefined].filter(Boolean).join(" · ")}
        </span>
      </button>
      <div className="row need-answers">
        {answersTo(need, words).map((given) => (
          <button
            key={given.label}
            type="button"
            className="button is-small"
            disabled={!canAct}
            onClick={() => answer(given)}
          >
            {given.label}
            {isChosen && given.keys[0] !== undefined && (
              <kbd aria-hidden="true">{given.keys[0]}</kbd>
            )}
          </button>
        ))}
        <button
          type="button"
          className="button is-small is-quiet"
          aria-label={`${words.open}: ${title}`}
          onClick={() => open(viewOf(need))}
        >
          {words.open}
        </button>
      </div>
    </li>
  );
}

function useAnswer(): (given: Answer) => void {
  const act = useAct();
  const { sent } = useWords();
  return ({ command }) => void act(command, sent);
}

function useNeeds(now: number): readonly Need[] {
  const snapshot = useShown((shown) => shown.snapshot);
  const timeline = useWorld((view) => view.timeline);
  return useMemo(
    () => (snapshot === null ? [] : needsOf(snapshot, timeline, now)),
    [snapshot, timeline, now],
  );
}
