/** What was said about some lines, the agent's answer, and what one is about to say. */
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useStore } from "zustand";
import { useAppearance, useCanAct, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button, Chip, type ChipTone } from "../../../ui/controls.tsx";
import { SafeMarkdown } from "../../../ui/safe-text/safe-markdown.tsx";
import { personIn } from "../text/event-text.ts";
import { sentComment, suggestedComment } from "./change/comments-to-send.ts";
import type { ReviewComment } from "./change/review-http.ts";
import type { DraftComment, ReviewNotesStore } from "./change/review-notes.ts";
import { suggestionIn, withSuggestion } from "./change/suggestion.ts";
import { stateOf, type CommentState, type Thread } from "./change/threads.ts";
import type { ApplySuggestion } from "./use-apply-suggestion.ts";

export interface CommentThreadProps {
  readonly thread: Thread;
  readonly artifactId: string;
  readonly version: number;
  readonly notes: ReviewNotesStore;
  /** The lines that a draft is about, as they are. */
  readonly linesOf: (draft: DraftComment) => readonly string[];
  /** Undefined while what can be said is not about this version. */
  readonly onApply: ApplySuggestion | undefined;
}

export function CommentThread(props: CommentThreadProps): ReactNode {
  const { thread, artifactId, version, notes, linesOf, onApply } = props;
  return (
    <div className="thread">
      {thread.comments.map((comment) => (
        <Comment key={comment.comment_id} {...{ comment, artifactId, version, onApply }} />
      ))}
      {thread.drafts.map((draft) => (
        <Draft key={draft.id} {...{ draft, notes, linesOf, onApply }} />
      ))}
    </div>
  );
}

const TONES: Readonly<Record<CommentState, ChipTone>> = {
  new: undefined,
  resolved: "good",
  addressed: "good",
  untouched: "asks",
  outdated: undefined,
};

interface CommentProps {
  readonly comment: ReviewComment;
  readonly artifactId: string;
  readonly version: number;
  readonly onApply?: ApplySuggestion | undefined;
}

export function Comment({ comment, artifactId, version, onApply }: CommentProps): ReactNode {
  const texts = useTexts();
  const { review: words } = texts;
  const { language } = useAppearance();
  const act = useSendCommand();
  const canAct = useCanAct();
  const { by, at, text, answer, resolved_by: resolvedBy, place, comment_id: commentId } = comment;
  const state = stateOf(comment, version);
  const suggested = resolvedBy === undefined ? suggestedComment(comment) : undefined;
  return (
    <article className="comment" data-state={state}>
      <header className="row">
        <strong dir="auto">{personIn(by, texts) ?? by}</strong>
        <time className="hint" dateTime={new Date(at).toISOString()}>
          {new Date(at).toLocaleString(language, { dateStyle: "short", timeStyle: "short" })}
        </time>
        {state !== "new" && <Chip tone={TONES[state]}>{words.commentStates[state]}</Chip>}
        {comment.version < version && (
          <span className="hint">{words.commentOf(comment.version, comment.line)}</span>
        )}
      </header>
      {place.state === "outdated" && <Quote lines={comment.code} />}
      <SafeMarkdown text={text} cutNote={texts.reviewCut} />
      {answer !== undefined && (
        <div className="comment-answer">
          <span className="label">{words.answer}</span>
          <SafeMarkdown text={answer} cutNote={texts.reviewCut} />
        </div>
      )}
      {resolvedBy === undefined && comment.version < version && (
        <div className="row">
          <Button
            look="small"
            disabled={!canAct}
            onClick={() =>
              void act({
                name: "resolve_comment",
                data: { artifact_id: artifactId, comment_id: commentId },
              })
            }
          >
            {words.resolve}
          </Button>
          {onApply !== undefined && suggested !== undefined && (
            <Button look="small" onClick={() => onApply(suggested)}>
              {words.apply}
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

function Quote({ lines }: { readonly lines: readonly string[] }): ReactNode {
  return (
    <pre className="comment-code" dir="ltr">
      {lines.join("\n")}
    </pre>
  );
}

interface DraftProps {
  readonly draft: DraftComment;
  readonly notes: ReviewNotesStore;
  readonly linesOf: (draft: DraftComment) => readonly string[];
  readonly onApply: ApplySuggestion | undefined;
}

function Draft({ draft, notes, linesOf, onApply }: DraftProps): ReactNode {
  const texts = useTexts();
  const { review: words } = texts;
  const [isWriting, setIsWriting] = useState(draft.text === "");
  const comments = useStore(notes, (all) => all.comments);
  const write = (text: string): void =>
    notes.setState({
      comments: comments.map((each) => (each.id === draft.id ? { ...each, text } : each)),
    });
  const remove = (): void =>
    notes.setState({ comments: comments.filter(({ id }) => id !== draft.id) });
  const finish = (): void => (draft.text.trim() === "" ? remove() : setIsWriting(false));
  const { line, endLine } = draft;
  const label = line === endLine ? words.commentOnLine(line) : words.commentOnLines(line, endLine);
  if (!isWriting) {
    return (
      <article className="comment is-draft">
        <header className="row">
          <Chip tone="asks">{words.draft}</Chip>
          <span className="hint">{label}</span>
        </header>
        <SafeMarkdown text={draft.text} cutNote={texts.reviewCut} />
        <div className="row">
          <Button look="small" onClick={() => setIsWriting(true)}>
            {words.edit}
          </Button>
          <Button look="small quiet" onClick={remove}>
            {words.discard}
          </Button>
          {onApply !== undefined &&
            draft.side === "new" &&
            suggestionIn(draft.text) !== undefined && (
              <Button look="small" onClick={() => onApply(sentComment(draft), draft.id)}>
                {words.apply}
              </Button>
            )}
        </div>
      </article>
    );
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const isSending = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSending && event.key !== "Escape") return;
    // Ends the writing; the review around it stays as it is.
    event.preventDefault();
    event.stopPropagation();
    finish();
    document.querySelector<HTMLElement>(".diff-list")?.focus({ preventScroll: true });
  };
  return (
    <div className="comment is-draft">
      <label className="field">
        <span>{label}</span>
        <textarea
          className="is-short"
          value={draft.text}
          autoFocus
          dir="auto"
          placeholder={words.commentExample}
          onChange={({ target }) => write(target.value)}
          onKeyDown={onKeyDown}
        />
      </label>
      <div className="row">
        <Button look="small primary" disabled={draft.text.trim() === ""} onClick={finish}>
          {words.keep}
        </Button>
        {draft.side === "new" && suggestionIn(draft.text) === undefined && (
          <Button look="small" onClick={() => write(withSuggestion(draft.text, linesOf(draft)))}>
            {words.suggest}
          </Button>
        )}
        <Button look="small quiet" onClick={remove}>
          {words.discard}
        </Button>
      </div>
    </div>
  );
}
