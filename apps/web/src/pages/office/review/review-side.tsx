/** What one wants to know beside the lines: what to look at twice, what was asked for, what was said, how the checks went. */
import { visibleText } from "@atrium/wire";
import type { WorldArtifact, WorldTask } from "@atrium/wire/world";
import { useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useAppearance, useTexts } from "../../../app/app.ts";
import { pathOf } from "../../../app/route.ts";
import { Button, Chip } from "../../../ui/controls.tsx";
import { Link } from "../../../ui/link.tsx";
import { TaskStream } from "../task-stream/task-stream.tsx";
import { spentOf } from "../text/cost-text.ts";
import type {
  ReviewChanges,
  ReviewCheck,
  ReviewComment,
  ReviewHttp,
} from "./change/review-http.ts";
import type { ReviewNotesStore } from "./change/review-notes.ts";
import { stateOf } from "./change/threads.ts";
import { ChecksList } from "./checks-list.tsx";
import { Comment } from "./comment-thread.tsx";
import type { DiffControl } from "./diff/diff-cursor.ts";

export interface ReviewSideProps {
  readonly artifactId: string;
  readonly version: number;
  readonly task: WorldTask | undefined;
  readonly notes: ReviewNotesStore;
  readonly http: ReviewHttp;
  readonly changes: ReviewChanges | undefined;
  /** What is known of the version that is shown, where it is the newest. */
  readonly made?: WorldArtifact["change"];
  readonly comments: readonly ReviewComment[];
  readonly checks: readonly ReviewCheck[];
  readonly control: () => DiffControl | null;
}

export function ReviewSide(props: ReviewSideProps): ReactNode {
  const { task, notes, http, changes, made, checks, control } = props;
  const { review: words } = useTexts();
  return (
    <div className="stack">
      {changes !== undefined && <Warnings changes={changes} control={control} />}
      <Acceptance task={task} notes={notes} />
      <Summary made={made} />
      <Said {...props} />
      {checks.length > 0 && (
        <section className="stack is-tight">
          <h3>{words.checks}</h3>
          <ChecksList http={http} checks={checks} />
        </section>
      )}
      <TaskFacts task={task} />
    </div>
  );
}

interface WarningsProps {
  readonly changes: ReviewChanges;
  readonly control: () => DiffControl | null;
}

/** What a change may hide: what it is judged by, and what was left out of it. */
function Warnings({ changes, control }: WarningsProps): ReactNode {
  const { review: words } = useTexts();
  const flagged = changes.files.filter(({ flag }) => flag !== undefined);
  const { omitted } = changes;
  if (flagged.length + omitted.length === 0) return null;
  return (
    <section className="stack is-tight review-warnings">
      {flagged.length > 0 && <h3>{words.flagged}</h3>}
      <ul className="plain-list">
        {flagged.map(({ path, flag }) => (
          <li key={path}>
            <button type="button" className="side-link" onClick={() => control()?.goToFile(path)}>
              <span className="file-name" dir="ltr">
                {path}
              </span>
            </button>{" "}
            <span className="hint">{flag !== undefined && words.flags[flag]}</span>
          </li>
        ))}
      </ul>
      {omitted.length > 0 && <h3>{words.omitted}</h3>}
      <ul className="plain-list">
        {omitted.map(({ path, why }) => (
          <li key={path}>
            <span className="file-name" dir="ltr">
              {path}
            </span>{" "}
            <span className="hint">{words.omittedWhy[why]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface AcceptanceProps {
  readonly task: WorldTask | undefined;
  readonly notes: ReviewNotesStore;
}

function Acceptance({ task, notes }: AcceptanceProps): ReactNode {
  const { review: words } = useTexts();
  const met = useStore(notes, (all) => all.met);
  const criteria = task?.accept ?? [];
  if (criteria.length === 0) {
    return task?.description === undefined ? null : (
      <section className="stack is-tight">
        <h3>{words.instructions}</h3>
        <p className="as-written" dir="auto">
          {task.description}
        </p>
      </section>
    );
  }
  const toggle = (criterion: string): void => {
    const next = new Set(met);
    if (!next.delete(criterion)) next.add(criterion);
    notes.setState({ met: next });
  };
  return (
    <section className="stack is-tight">
      <h3>{words.acceptance}</h3>
      <ul className="plain-list">
        {criteria.map((criterion) => (
          <li key={criterion}>
            <label className="criterion">
              <input
                type="checkbox"
                checked={met.has(criterion)}
                onChange={() => toggle(criterion)}
              />
              <span dir="auto">{criterion}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The agent's own words about it, and whether it had come to an end. */
function Summary({ made }: Pick<ReviewSideProps, "made">): ReactNode {
  const { review: words } = useTexts();
  const { summary, is_unfinished: isUnfinished } = made ?? {};
  if (summary === undefined && isUnfinished === undefined) return null;
  return (
    <section className="stack is-tight">
      <h3>{words.summary}</h3>
      {isUnfinished && <p className="hint">{words.unfinished}</p>}
      {summary !== undefined && (
        <p className="as-written" dir="auto">
          {visibleText(summary)}
        </p>
      )}
    </section>
  );
}

/** All that was said about it, and what is about to be; what no line of this version belongs to is read here. */
function Said({ artifactId, version, comments, notes, control }: ReviewSideProps): ReactNode {
  const { review: words } = useTexts();
  const drafts = useStore(notes, (all) => all.comments);
  if (comments.length + drafts.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h3>{words.threads}</h3>
      <ul className="plain-list">
        {comments.map((comment) => {
          const { comment_id: id, place, side, text } = comment;
          const state = stateOf(comment, version);
          if (state === "outdated") {
            return (
              <li key={id}>
                <Comment {...{ comment, artifactId, version }} />
              </li>
            );
          }
          const thread = { path: place.path, key: `${side}${place.end_line}` };
          return (
            <li key={id}>
              <button
                type="button"
                className="side-link"
                onClick={() => control()?.goToThread(thread)}
              >
                <span className="file-name" dir="ltr">
                  {place.path}:{place.line}
                </span>{" "}
                {state !== "new" && <Chip>{words.commentStates[state]}</Chip>}
                <span className="side-gist" dir="auto">
                  {text}
                </span>
              </button>
            </li>
          );
        })}
        {drafts.map(({ id, path, side, line, endLine, text, version: of }) => (
          <li key={id}>
            <button
              type="button"
              className="side-link"
              disabled={of !== version}
              onClick={() => control()?.goToThread({ path, key: `${side}${endLine}` })}
            >
              <span className="file-name" dir="ltr">
                {path}:{line}
              </span>{" "}
              <Chip tone="asks">{of === version ? words.draft : words.draftOf(of)}</Chip>
              <span className="side-gist" dir="auto">
                {text}
              </span>
            </button>
            {of !== version && (
              <Button
                look="small quiet"
                onClick={() =>
                  notes.setState({ comments: drafts.filter((each) => each.id !== id) })
                }
              >
                {words.discard}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function TaskFacts({ task }: { readonly task: WorldTask | undefined }): ReactNode {
  const words = useTexts();
  const { language } = useAppearance();
  // What was done for it is read when somebody wants to see it.
  const [isOpen, setIsOpen] = useState(false);
  if (task === undefined) return null;
  return (
    <section className="stack is-tight">
      <h3>{words.review.howMade}</h3>
      <p>
        <Link to={pathOf("office", `task:${task.task_id}`)}>{task.title}</Link>
      </p>
      <p className="hint">{spentOf(task, words, language)}</p>
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>{words.review.evidence}</summary>
        {isOpen && <TaskStream taskId={task.task_id} />}
      </details>
    </section>
  );
}
