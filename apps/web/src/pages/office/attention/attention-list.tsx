/** What needs a person, dearest first. What the list shows whole is answered where it stands; the rest is read first. */
import { useEffect, useMemo, useState, type ReactNode } from "react";
import {
  useCanAct,
  useApp,
  usePreferences,
  useRoute,
  useOffice,
  useTexts,
  useWorld,
} from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Chip } from "../../../ui/controls.tsx";
import { shownIndex } from "../../../world/time-travel.ts";
import { useCamera, useOpen } from "../view/camera-control.ts";
import { useFirstStep } from "../view/first-step.ts";
import { useNow } from "../view/now.ts";
import { showOf } from "../view/view.ts";
import { answersTo, isWholeInList, viewOf, withReceipt } from "./answers.ts";
import { useAttentionKeys } from "./attention-keys.ts";
import { useChosenInSight } from "./chosen-in-sight.ts";
import { NeedItem } from "./need-item.tsx";
import { needsOf, type Need } from "./needs.ts";
import { mustBeSeen, useSeen } from "./seen.ts";
import type { Row } from "./steady-rows.ts";
import { useRows } from "./use-rows.ts";

const TICK_MS = 5_000;

export function AttentionList(): ReactNode {
  const words = useTexts();
  const now = useNow(TICK_MS);
  const needs = useNeeds(now);
  const { rows, holdProps, touch } = useRows(needs);
  const camera = useCamera();
  const open = useOpen();
  const { notices } = useApp();
  const { show } = useRoute();
  const hasKeys = usePreferences().shortcuts === "on";
  const isInviting = useFirstStep() === "ask";
  const [chosenId, setChosenId] = useState<string>();
  // What is open is what one has in front of oneself; else what one has chosen in the list.
  const opened = needs.find((need) => isOpenedAlone(need, show));
  const chosen = opened ?? needs.find(({ id }) => id === chosenId);
  const sight = useChosenInSight(chosen, rows.map(({ need }) => need.id).join());
  // When what one looked at is done with, there is more to see in the room than an empty place.
  const isDone = chosenId !== undefined && chosen === undefined;
  useEffect(() => {
    if (isDone) camera.frameRoom();
  }, [camera, isDone]);
  const answer = useAnswerByKey(() => sight.isSeen());
  const choose = (need: Need): void => {
    setChosenId(need.id);
    // People walk on; places stay where they are.
    if (need.place === need.agentId) camera.follow(need.place);
    else camera.flyTo(need.place);
    // The panel goes along, so that there is one thing in front of the person and not two.
    if (opened !== undefined) open(viewOf(need));
  };
  useAttentionKeys(hasKeys, {
    onNext() {
      touch();
      const waiting = rows.filter(({ goneAt }) => goneAt === undefined);
      const at = waiting.findIndex(({ need }) => need.id === chosen?.id);
      const next = waiting[(at + 1) % Math.max(1, waiting.length)];
      if (next !== undefined) choose(next.need);
    },
    onOpen: () => chosen !== undefined && open(viewOf(chosen)),
    onKey(key) {
      touch();
      // What was chosen has been decided elsewhere: the key is for nothing else.
      if (chosen === undefined && chosenId !== undefined) {
        notices.say(words.permission.goneMeanwhile);
      }
      setChosenId(chosen?.id);
      if (chosen === undefined) return;
      if (!answer({ need: chosen, key, isOpen: opened !== undefined })) return;
      setChosenId(undefined);
      camera.frameRoom();
    },
  });
  // Who comes for the first time is invited instead.
  if (needs.length === 0 && isInviting) return null;
  return (
    <section className="card attention" aria-labelledby="attention-title" {...holdProps}>
      <header className="row spread">
        <h2 id="attention-title">{words.needsTitle}</h2>
        {needs.length > 0 && (
          <Chip tone="asks" aria-label={words.needsCount(needs.length)}>
            {needs.length}
          </Chip>
        )}
      </header>
      {rows.length === 0 ? (
        <p className="hint">{words.needsNothing}</p>
      ) : (
        <ul className="needs" ref={sight.list}>
          <Rows rows={rows} now={now} chosenId={chosen?.id} onChoose={choose} />
        </ul>
      )}
      {needs.length > 0 && hasKeys && <p className="hint attention-keys">{words.needsKeys}</p>}
    </section>
  );
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly now: number;
  readonly chosenId: string | undefined;
  readonly onChoose: (need: Need) => void;
}

function Rows({ rows, now, chosenId, onChoose }: RowsProps): ReactNode {
  const words = useTexts();
  return rows.map(({ need, goneAt }) =>
    goneAt === undefined ? (
      <NeedItem
        key={need.id}
        need={need}
        now={now}
        isChosen={need.id === chosenId}
        onChoose={() => onChoose(need)}
      />
    ) : (
      <li key={need.id} className="need-gone">
        {words.permission.goneRow}
      </li>
    ),
  );
}

interface KeyPress {
  readonly need: Need;
  readonly key: string;
  /** It stands open beside the room. */
  readonly isOpen: boolean;
}

/** Answers what was read and is seen; opens what was not read; says what it does not do. Whether it was answered. */
function useAnswerByKey(isInSight: () => boolean): (pressed: KeyPress) => boolean {
  const words = useTexts();
  const open = useOpen();
  const act = useSendCommand();
  const { notices } = useApp();
  const canAct = useCanAct();
  const seen = useSeen();
  return ({ need, key, isOpen }) => {
    const given = answersTo(need, words).find(({ keys }) => keys.includes(key));
    if (given === undefined || !canAct) return false;
    const wanted = mustBeSeen(need);
    const isRead = wanted === undefined ? isWholeInList(need) || isOpen : seen.has(wanted);
    if (!isRead && isOpen) notices.say(words.permission.readFirst);
    else if (!isRead) open(viewOf(need));
    // Read long ago and closed again, it is opened once more: nobody decides from memory.
    else if (need.kind === "permission" && !isOpen) open(viewOf(need));
    else if (isInSight()) {
      void act(withReceipt(given.command, wanted && seen.get(wanted)));
      return true;
    } else notices.say(words.permission.broughtBack);
    return false;
  };
}

/** It alone stands in the panel; a board is about many things. */
function isOpenedAlone(need: Need, show: string | undefined): boolean {
  const view = viewOf(need);
  return view.kind !== "panel" && showOf(view) === show;
}

function useNeeds(now: number): readonly Need[] {
  const snapshot = useOffice((shown) => shown.snapshot);
  const past = useOffice((shown) => shown.past);
  const timeline = useWorld((view) => view.timeline);
  return useMemo(() => {
    if (snapshot === null) return [];
    // Of the past, what had happened by then: it may have failed again since.
    const known =
      past === null ? timeline : timeline.slice(0, shownIndex(timeline, past, Date.now()) + 1);
    return needsOf(snapshot, known, now);
  }, [snapshot, past, timeline, now]);
}
