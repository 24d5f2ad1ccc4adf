/** What can be said about a result that waits for it: yes, what is to change, or that it is several tasks. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useState, type KeyboardEvent, type SubmitEvent, type ReactNode } from "react";
import { useStore } from "zustand";
import { useCanAct, useTexts } from "../../../app/app.ts";
import { linesIn, tooManyTitles } from "../../../app/feedback/input-limits.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Field } from "../../../ui/controls.tsx";
import { SureButton } from "../text/sure-button.tsx";
import { commentsToSend } from "./change/comments-to-send.ts";
import { NO_NOTES, type ReviewNotesStore } from "./change/review-notes.ts";

export type Writing = "changes" | "split";

export interface ReviewActionsProps {
  readonly artifact: WorldArtifact;
  /** The version that is in front of the person; only the newest can be judged. */
  readonly seen: number;
  /** It is there to be read, not on its way. */
  readonly isShown: boolean;
  readonly notes: ReviewNotesStore;
  readonly writing: Writing | undefined;
  readonly onWriting: (writing: Writing | undefined) => void;
  readonly onSee: (version: number) => void;
}

/** Approves the version in front of the person; undefined where that cannot be done now. */
export function useApprove({
  artifact,
  seen,
  isShown,
  notes,
}: Pick<ReviewActionsProps, "artifact" | "seen" | "isShown" | "notes">): (() => void) | undefined {
  const act = useSendCommand();
  const canAct = useCanAct();
  const { artifact_id, status, version } = artifact;
  if (!canAct || !isShown || status !== "delivered" || seen !== version) return undefined;
  const approve = async (): Promise<void> => {
    const data = { artifact_id, expected_version: seen };
    if (await act({ name: "approve_artifact", data })) forget(notes, seen);
  };
  return () => void approve();
}

/** What was noted has been sent; that this version was judged stays known. */
function forget(notes: ReviewNotesStore, judged: number): void {
  notes.setState({ ...NO_NOTES, judged });
}

export function ReviewActions(props: ReviewActionsProps): ReactNode {
  const { artifact, seen, notes, writing, onWriting, onSee } = props;
  const words = useTexts();
  const approve = useApprove(props);
  const { status, version } = artifact;
  const count = commentsToSend(useStore(notes), seen).length;
  if (status !== "delivered") return <Landed artifact={artifact} />;
  if (seen !== version) return <OlderNote seen={seen} newest={version} onSee={onSee} />;
  const toggle = (next: Writing): void => onWriting(writing === next ? undefined : next);
  return (
    <div className="stack is-tight">
      {writing !== undefined && <WritingForm key={writing} {...props} writing={writing} />}
      <div className="row">
        <Button look="primary" disabled={approve === undefined} onClick={approve}>
          {words.approve}
          <kbd>{words.review.ctrlEnter}</kbd>
        </Button>
        <Button aria-expanded={writing === "changes"} onClick={() => toggle("changes")}>
          {words.reviewChanges}
          {count > 0 && ` (${count})`}
          <kbd>R</kbd>
        </Button>
        <Button look="quiet" aria-expanded={writing === "split"} onClick={() => toggle("split")}>
          {words.reviewSplit}
        </Button>
        {count > 0 && <span className="hint">{words.review.toSend(count)}</span>}
      </div>
    </div>
  );
}

function WritingForm(props: ReviewActionsProps & { readonly writing: Writing }): ReactNode {
  const { artifact, seen, notes, writing, onWriting } = props;
  const words = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const kept = useStore(notes);
  const [titles, setTitles] = useState("");
  const text = writing === "split" ? titles : kept.instructions;
  const of = { artifact_id: artifact.artifact_id, expected_version: seen };
  const lines = linesIn(titles);
  const tooMany = writing === "split" ? tooManyTitles(lines, words) : undefined;
  const comments = commentsToSend(kept, seen);
  const isEmpty = text.trim() === "" && (writing === "split" || comments.length === 0);
  const send = async (): Promise<void> => {
    if (!canAct || isEmpty || tooMany !== undefined) return;
    const isTaken =
      writing === "split"
        ? await act({ name: "split_into_tasks", data: { ...of, task_titles: lines } })
        : await act({
            name: "request_changes",
            data: {
              ...of,
              instructions: text.trim(),
              ...(comments.length > 0 && { comments }),
            },
          });
    if (!isTaken) return;
    onWriting(undefined);
    forget(notes, seen);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSending = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSending && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (isSending) void send();
    else onWriting(undefined);
  };
  return (
    <form
      className="stack is-tight"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={onKeyDown}
    >
      <Field label={labelOf(writing, comments.length, words)}>
        <textarea
          className="is-short"
          value={text}
          autoFocus
          onChange={({ target }) =>
            writing === "split"
              ? setTitles(target.value)
              : notes.setState({ instructions: target.value })
          }
        />
      </Field>
      {tooMany !== undefined && <p role="status">{tooMany}</p>}
      <div className="row">
        <Button type="submit" look="primary" disabled={!canAct || isEmpty || tooMany !== undefined}>
          {words.send}
        </Button>
        <Button look="quiet" onClick={() => onWriting(undefined)}>
          {words.cancel}
        </Button>
      </div>
    </form>
  );
}

function labelOf(writing: Writing, comments: number, words: ReturnType<typeof useTexts>): string {
  if (writing === "split") return words.reviewSplitField;
  return comments === 0 ? words.reviewChangesField : words.review.changesField(comments);
}

/** Where it stands once it was approved, and taking it back. */
function Landed({ artifact }: { readonly artifact: WorldArtifact }): ReactNode {
  const { review: words } = useTexts();
  const act = useSendCommand();
  const canAct = useCanAct();
  const { artifact_id, landing, conflicts = [] } = artifact;
  if (landing === undefined) return null;
  return (
    <div className="row" role="status">
      <p className="hint">
        {words.landings[landing]} {conflicts.length > 0 && words.conflictsIn(conflicts)}
      </p>
      {landing === "landed" && (
        <SureButton
          label={words.revert}
          sureLabel={words.revertSure}
          isDisabled={!canAct}
          onSure={() => void act({ name: "revert_artifact", data: { artifact_id } })}
        />
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
