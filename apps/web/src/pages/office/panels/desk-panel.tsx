/** The conversation with the front desk: what it says, what it suggests, and what one says to it. */
import type { SuggestedAction } from "@atrium/wire/world";
import { useEffect, useRef, useState, type SubmitEvent, type ReactNode } from "react";
import { useCanAct, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { translateName } from "../../../i18n/translate-name.ts";
import { Button } from "../../../ui/controls.tsx";
import { SafeMarkdown } from "../../../ui/safe-text/safe-markdown.tsx";
import type { Line } from "../../../world/moments.ts";
import { hasHappened } from "../../../world/time-travel.ts";
import { deskTextOf } from "../text/desk-text.ts";
import { namesIn } from "../text/event-text.ts";
import { EarlierButton } from "../timeline/earlier-button.tsx";
import { usePastTime } from "../timeline/past-time.ts";
import { useOpen } from "../view/camera-control.ts";
import { suggestedMove, type Move } from "./suggested-move.ts";

const MAX_SHOWN = 80;

export function DeskPanel(): ReactNode {
  const talk = useTalk().slice(-MAX_SHOWN);
  const desk = useRef<HTMLDivElement>(null);
  const last = talk.at(-1)?.seq;
  useEffect(() => {
    // To the very end: the field one writes in stands there, and would hide what was said last.
    const scroller = desk.current?.closest(".panel-body");
    scroller?.scrollTo({ top: scroller.scrollHeight });
  }, [last]);
  return (
    <div className="desk" ref={desk}>
      <ol className="talk" aria-live="polite">
        {talk.length === 0 && <NothingSaid />}
        {talk.map((line) => (
          <DeskLine key={line.seq} line={line} isLast={line.seq === last} />
        ))}
      </ol>
      <DeskComposer />
    </div>
  );
}

/** What has been said by the moment that is shown. */
function useTalk(): readonly Line[] {
  const talk = useWorld((view) => view.talk);
  const past = useOffice((shown) => shown.past);
  // While the past plays, more is said.
  usePastTime();
  return past === null ? talk : talk.filter((line) => hasHappened(past, line, Date.now()));
}

/** Nothing at all, or nothing that is known yet. */
function NothingSaid(): ReactNode {
  const words = useTexts();
  const hasEarlier = useWorld((view) => view.hasEarlier && view.timeline.length > 0);
  return <li className="hint">{hasEarlier ? <EarlierButton /> : words.deskEmpty}</li>;
}

function DeskLine({ line, isLast }: { readonly line: Line; readonly isLast: boolean }): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const open = useOpen();
  const canAct = useCanAct();
  const snapshot = useOffice((shown) => shown.snapshot);
  const isMine = line.from === "user";
  const text = line.projectId === undefined || isMine ? line.text : deskTextOf(line.text, words);
  /** A request is made once; everything else says itself whether it still makes sense. */
  const [isTaken, setTaken] = useState(false);
  const moveOf = (suggested: SuggestedAction): Move | undefined => {
    const isOver = isTaken && suggested.action === "submit_request";
    return isOver ? undefined : suggestedMove(suggested, line.projectId, snapshot);
  };
  const press = (suggested: SuggestedAction): void => {
    const move = moveOf(suggested);
    if (move === undefined) return;
    if (move.type === "open") open(move.view);
    else void act(move.command).then(setTaken);
  };
  return (
    <li className="said" data-mine={isMine}>
      <span className="said-by">
        {isMine ? words.you : (namesIn(snapshot).agent(line.from) ?? line.from)}
      </span>
      <SafeMarkdown text={text} cutNote={words.reviewCut} />
      {line.actions.length > 0 && (
        <div className="row">
          {line.actions.map((suggested) => {
            const { action, label } = suggested;
            const move = moveOf(suggested);
            return (
              <button
                key={action}
                type="button"
                className={isLast ? "button is-small is-primary" : "button is-small"}
                disabled={move === undefined || (move.type === "act" && !canAct)}
                onClick={() => press(suggested)}
              >
                {translateName(words.suggestions, action, label)}
              </button>
            );
          })}
        </div>
      )}
    </li>
  );
}

function DeskComposer(): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const [text, setText] = useState("");
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const message = text.trim();
    if (message !== "" && (await act({ name: "chat", data: { text: message } }))) setText("");
  };
  return (
    <form className="writing" onSubmit={(event) => void send(event)}>
      <input
        className="input"
        aria-label={words.deskField}
        placeholder={words.deskField}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" look="primary" disabled={!canAct || text.trim() === ""}>
        {words.send}
      </Button>
    </form>
  );
}
