/** Puts what a comment suggests in place of its lines: a version of the person's own, without asking the agent. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useCanAct } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import type { SentComment } from "./change/comments-to-send.ts";
import type { ReviewNotesStore } from "./change/review-notes.ts";

export interface ApplyOptions {
  readonly artifact: WorldArtifact;
  /** The version that is in front of the person. */
  readonly version: number;
  readonly notes: ReviewNotesStore;
  /** The version that came of it. */
  readonly onMade: (version: number) => void;
}

/** `draftId`: of a comment that was not sent, which is then said. */
export type ApplySuggestion = (comment: SentComment, draftId?: string) => void;

/** Undefined where it cannot be done: only the newest version is changed, while it waits for review. */
export function useApplySuggestion(options: ApplyOptions): ApplySuggestion | undefined {
  const { artifact, version, notes, onMade } = options;
  const { artifact_id, status, version: newest } = artifact;
  const act = useSendCommand();
  const canAct = useCanAct();
  if (!canAct || status !== "delivered" || version !== newest) return undefined;
  const apply = async (comment: SentComment, draftId?: string): Promise<void> => {
    const data = { artifact_id, expected_version: version, comments: [comment] };
    if (!(await act({ name: "apply_suggestions", data }))) return;
    notes.setState(({ comments }) => ({ comments: comments.filter(({ id }) => id !== draftId) }));
    onMade(version + 1);
  };
  return (comment, draftId) => void apply(comment, draftId);
}
