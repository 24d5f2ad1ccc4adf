/** What needs a person, dearest first, each answered where it stands. */
import { useMemo, useState, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, usePreferences, useShown, useWords, useWorld } from "../../../shell/house.ts";
import { shownIndex } from "../../../world/time-travel.ts";
import { useCamera, useOpen } from "../camera-desk.ts";
import { useIsInviting } from "../inviting.ts";
import { useNow } from "../now.ts";
import { projectOfIn } from "../project-words.ts";
import { spanOf } from "../spans.ts";
import { answersTo, viewOf, type Answer } from "./answers.ts";
import { useAttentionKeys } from "./attention-keys.ts";
import { useChosenInSight } from "./chosen-in-sight.ts";
import { needsOf, type Need } from "./needs.ts";

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
  const sight = useChosenInSight(chosen);
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
      // Nobody answers what they cannot see: the first press brings it back.
      if (given !== undefined && canAct && sight.isSeen()) answer(given);
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
        <ul className="needs" ref={sight.list}>
          {needs.map((need) => (
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
  const project = useShown(({ snapshot }) => projectOfIn(snapshot)(need.projectId));
  const { kind, since, held, title, version = 1 } = need;
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
          {[
            project === title ? undefined : project,
            version > 1 ? words.inVersion(version) : undefined,
            waited,
            held > 0 ? words.holdsUp(held) : undefined,
          ]
            .filter(Boolean)
            .join(" · ")}
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
  return ({ command }) => void act(command);
}

function useNeeds(now: number): readonly Need[] {
  const snapshot = useShown((shown) => shown.snapshot);
  const past = useShown((shown) => shown.past);
  const timeline = useWorld((view) => view.timeline);
  return useMemo(() => {
    if (snapshot === null) return [];
    // Of the past, what had happened by then: it may have failed again since.
    const known =
      past === null ? timeline : timeline.slice(0, shownIndex(timeline, past, Date.now()) + 1);
    return needsOf(snapshot, known, now);
  }, [snapshot, past, timeline, now]);
}
