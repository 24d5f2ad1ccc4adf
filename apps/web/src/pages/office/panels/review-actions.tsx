import type { WorldArtifact } from "@atrium/wire/world";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, useWords } from "../../../shell/house.ts";

type Writing = "changes" | "split";

/** What can be said about a result that waits for it. */
export function ReviewActions({ artifact }: { readonly artifact: WorldArtifact }): ReactNode {
  const words = useWords();
  const act = useAct();
  const canAct = useCanAct();
  const [writing, setWriting] = useState<Writing>();
  const [text, setText] = useState("");
  const { artifact_id, status } = artifact;
  if (status !== "delivered") return null;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const isTaken =
      writing === "split"
        ? await act(
            { name: "split_into_tasks", data: { artifact_id, task_titles: lines.slice(0, 12) } },
            words.sent,
          )
        : await act(
            { name: "request_changes", data: { artifact_id, instructions: text.trim() } },
            words.sent,
          );
    if (isTaken) setWriting(undefined);
  };
  return (
    <div className="stack is-tight">
      <div className="row">
        <button
          type="button"
          className="button is-primary"
          disabled={!canAct}
          onClick={() => void act({ name: "approve_artifact", data: { artifact_id } }, words.sent)}
        >
          {words.approve}
        </button>
        <button
          type="button"
          className="button"
          aria-expanded={writing === "changes"}
          onClick={() => setWriting("changes")}
        >
          {words.reviewChanges}
        </button>
        <button
          type="button"
          className="button"
          aria-expanded={writing === "split"}
          onClick={() => setWriting("split")}
        >
          {words.reviewSplit}
        </button>
      </div>
      {writing !== undefined && (
        <form className="stack is-tight" onSubmit={(event) => void submit(event)}>
          <label className="field">
            <span>{writing === "split" ? words.reviewSplitField : words.reviewChangesField}</span>
            <textarea value={text} autoFocus onChange={({ target }) => setText(target.value)} />
          </label>
          <div className="row">
            <button
              type="submit"
              className="button is-primary"
              disabled={!canAct || text.trim() === ""}
            >
              {words.reviewSend}
            </button>
            <button type="button" className="button is-quiet" onClick={() => setWriting(undefined)}>
              {words.cancel}
            </button>
          </div>
        </form>
      )}
    </div>
  );
}
