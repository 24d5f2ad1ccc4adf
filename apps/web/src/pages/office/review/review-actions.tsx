import type { WorldArtifact } from "@atrium/wire/world";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useCanAct, useTexts } from "../../../app/app.ts";
import { linesIn, tooManyTitles } from "../../../app/feedback/input-limits.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Field } from "../../../ui/controls.tsx";

type Writing = "changes" | "split";

export interface ReviewActionsProps {
  readonly artifact: WorldArtifact;
  /** The version that is in front of the person; only the newest can be judged. */
  readonly seen: number;
  readonly onSee: (version: number) => void;
}

/** What can be said about a result that waits for it. */
export function ReviewActions({ artifact, seen, onSee }: ReviewActionsProps): ReactNode {
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const [writing, setWriting] = useState<Writing>();
  const [text, setText] = useState("");
  const { artifact_id, status, version } = artifact;
  if (status !== "delivered") return null;
  if (seen !== version) return <OlderNote seen={seen} newest={version} onSee={onSee} />;
  const of = { artifact_id, expected_version: seen };
  const lines = linesIn(text);
  const tooMany = writing === "split" ? tooManyTitles(lines, words) : undefined;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const isTaken =
      writing === "split"
        ? await act({ name: "split_into_tasks", data: { ...of, task_titles: lines } })
        : await act({ name: "request_changes", data: { ...of, instructions: text.trim() } });
    if (isTaken) setWriting(undefined);
  };
  return (
    <div className="stack is-tight">
      <div className="row">
        <Button
          look="primary"
          disabled={!canAct}
          onClick={() => void act({ name: "approve_artifact", data: of })}
        >
          {words.approve}
        </Button>
        <Button aria-expanded={writing === "changes"} onClick={() => setWriting("changes")}>
          {words.reviewChanges}
        </Button>
        <Button aria-expanded={writing === "split"} onClick={() => setWriting("split")}>
          {words.reviewSplit}
        </Button>
      </div>
      {writing !== undefined && (
        <form className="stack is-tight" onSubmit={(event) => void submit(event)}>
          <Field label={writing === "split" ? words.reviewSplitField : words.reviewChangesField}>
            <textarea value={text} autoFocus onChange={({ target }) => setText(target.value)} />
          </Field>
          {tooMany !== undefined && <p role="status">{tooMany}</p>}
          <div className="row">
            <Button
              type="submit"
              look="primary"
              disabled={!canAct || text.trim() === "" || tooMany !== undefined}
            >
              {words.send}
            </Button>
            <Button look="quiet" onClick={() => setWriting(undefined)}>
              {words.cancel}
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}

interface OlderNoteProps {
  readonly seen: number;
  readonly newest: number;
  readonly onSee: (version: number) => void;
}

/** Why nothing can be said about it here, and where to go for that. */
function OlderNote({ seen, newest, onSee }: OlderNoteProps): ReactNode {
  const words = useTexts();
  return (
    <div className="row" role="status">
      <p className="hint">{words.reviewOlder(seen, newest)}</p>
      <Button look="small" onClick={() => onSee(newest)}>
        {words.reviewNewest(newest)}
      </Button>
    </div>
  );
}
