/** A request: what should be made, within which constraints, from which files. */
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, useHouse, useWords } from "../../../shell/house.ts";
import { AttachButton } from "../../attach-button.tsx";
import { FileChips } from "../../file-chips.tsx";
import { useFileDrops } from "../../file-drops.ts";
import { useAttachedFiles } from "../../use-attached-files.ts";
import { useCamera, useOpen } from "../camera-desk.ts";

export function AskPanel(): ReactNode {
  const words = useWords();
  const act = useAct();
  const open = useOpen();
  const camera = useCamera();
  const canAct = useCanAct();
  const { navigation } = useHouse();
  const [text, setText] = useState("");
  const [constraints, setConstraints] = useState("");
  const attached = useAttachedFiles();
  const { isOver, onPaste, dropProps } = useFileDrops((chosen) => void attached.add(chosen));
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const rules = constraints
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const attachments = attached.files.map(({ name, mediaType, data: content }) => {
      return { name, media_type: mediaType, data: content };
    });
    const data = {
      text,
      ...(rules.length > 0 && { constraints: { rules } }),
      ...(attachments.length > 0 && { attachments }),
    };
    if (!(await act({ name: "submit_request", data }))) return;
    // Whoever has gone on to something else in the meantime stays there.
    if (navigation.store.getState().show !== "ask") return;
    open(undefined);
    camera.flyTo("poi_meeting_table");
  };
  return (
    <form
      className="stack ask-form"
      data-over={isOver}
      onSubmit={(event) => void submit(event)}
      {...dropProps}
    >
      <label className="field">
        <span>{words.askField}</span>
        <textarea
          required
          value={text}
          placeholder={words.askPlaceholder}
          onChange={(event) => setText(event.target.value)}
          onPaste={onPaste}
        />
      </label>
      <Ideas isShown={text === ""} onChoose={setText} />
      <label className="field">
        <span>{words.askConstraints}</span>
        <textarea
          className="is-short"
          value={constraints}
          placeholder={words.askConstraintsPlaceholder}
          onChange={(event) => setConstraints(event.target.value)}
        />
      </label>
      <div className="stack is-tight">
        <FileChips files={attached.files} onRemove={attached.remove} />
        <div className="row">
          <AttachButton onFiles={(chosen) => void attached.add(chosen)} />
        </div>
      </div>
      <button type="submit" className="button is-primary" disabled={!canAct || text.trim() === ""}>
        {words.askSubmit}
      </button>
    </form>
  );
}

interface IdeasProps {
  readonly isShown: boolean;
  readonly onChoose: (text: string) => void;
}

function Ideas({ isShown, onChoose }: IdeasProps): ReactNode {
  const words = useWords();
  if (!isShown) return null;
  return (
    <div className="stack is-tight">
      <span className="hint">{words.askIdeas}</span>
      {words.ideas.map((idea) => (
        <button key={idea} type="button" className="idea" onClick={() => onChoose(idea)}>
          {idea}
        </button>
      ))}
    </div>
  );
}
