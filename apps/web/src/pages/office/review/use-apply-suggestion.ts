/** Puts what a draft suggests in place of its lines: a version of the person's own, without asking the agent. */
import type { WorldArtifact } from "@atrium/wire/world";
import { useCanAct } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { sentComment } from "./change/comments-to-send.ts";
import type { DraftComment, ReviewNotesStore } from "./change/review-notes.ts";

export interface ApplyOptions {
  readonly artifact: WorldArtifact;
  /** The version that is in front of the person. */
  readonly version: number;
  readonly notes: ReviewNotesStore;
  /** The version that came of it. */
  readonly onMade: (version: number) => void;
}

/** Undefined where it cannot be done: only the newest version is changed, while it waits for review. */
export function useApplySuggestion(
  options: ApplyOptions,
): ((draft: DraftComment) => void) | undefined {
  const { artifact, version, notes, onMade } = options;
  const { artifact_id, status, version: newest } = artifact;
  const act = useSendCommand();
  const canAct = useCanAct();
  if (!canAct || status !== "delivered" || version !== newest) return undefined;
  const apply = async (draft: DraftComment): Promise<void> => {
    const data = { artifact_id, expected_version: version, comments: [sentComment(draft)] };
    if (!(await act({ name: "apply_suggestions", data }))) return;
    notes.setState(({ comments }) => ({ comments: comments.filter(({ id }) => id !== draft.id) }));
    onMade(version + 1);
  };
  return (draft) => void apply(draft);
}
