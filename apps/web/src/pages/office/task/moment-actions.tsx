/** From the past to the present: the files go back to that moment, or a new task starts from them. Asked once more. */
import type { WorldTask } from "@atrium/wire/world";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useApp, useOffice, useTexts, useWorld } from "../../../app/app.ts";
import { useClockTime } from "../../../app/clock-time.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { usePastTime } from "../timeline/past-time.ts";

type Act = "restore" | "fork";

export function MomentActions({ task }: { readonly task: WorldTask }): ReactNode {
  const { workshop: words } = useTexts();
  const time = useClockTime();
  const at = usePastTime();
  const seq = useOffice(({ past }) => past?.look.seq);
  const isConnected = useWorld(({ status }) => status.state === "connected");
  const [chosen, setChosen] = useState<Act>();
  if (at === undefined || seq === undefined) return <p className="hint">{words.momentHint}</p>;
  const when = time(at);
  if (chosen !== undefined) {
    return (
      <Confirmation {...{ task, seq, when, act: chosen, onDone: () => setChosen(undefined) }} />
    );
  }
  return (
    <div className="stack is-tight">
      <span className="hint">{words.momentOf(when)}</span>
      <div className="row">
        <Button look="small" disabled={!isConnected} onClick={() => setChosen("restore")}>
          {words.momentActs.restore}
        </Button>
        <Button look="small" disabled={!isConnected} onClick={() => setChosen("fork")}>
          {words.momentActs.fork}
        </Button>
      </div>
    </div>
  );
}

interface ConfirmationProps {
  readonly task: WorldTask;
  readonly act: Act;
  readonly seq: number;
  readonly when: string;
  readonly onDone: () => void;
}

function Confirmation({ task, act, seq, when, onDone }: ConfirmationProps): ReactNode {
  const { workshop: words } = useTexts();
  const { travel } = useApp();
  const send = useSendCommand();
  const [text, setText] = useState("");
  const [isSending, setIsSending] = useState(false);
  const { task_id } = task;
  const confirm = async (): Promise<void> => {
    setIsSending(true);
    const instructions = text.trim();
    const isTaken = await (act === "restore"
      ? send({ name: "restore_files", data: { task_id, seq } })
      : send({
          name: "fork_task",
          data: { task_id, seq, ...(instructions !== "" && { instructions }) },
        }));
    setIsSending(false);
    if (!isTaken) return;
    onDone();
    travel.returnToLive();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    // Takes back the question only; what is around it stays open.
    event.preventDefault();
    onDone();
  };
  return (
    <section className="moment-sure" aria-label={words.momentActs[act]} onKeyDown={onKeyDown}>
      <p>{words.momentSure[act](when)}</p>
      {act === "fork" && (
        <Field label={words.momentOtherwise}>
          <textarea
            className="is-short"
            dir="auto"
            value={text}
            placeholder={words.momentOtherwiseExample}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      )}
      <div className="row">
        <Button look="small primary" autoFocus disabled={isSending} onClick={() => void confirm()}>
          {words.momentActs[act]}
        </Button>
        <Button look="small quiet" onClick={onDone}>
          {words.cancel}
        </Button>
      </div>
    </section>
  );
}
