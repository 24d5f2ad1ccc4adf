/** A request: what should be made, within which constraints, from which files. */
import { useState, type ChangeEvent, type SubmitEvent, type ReactNode } from "react";
import { useAct } from "../../../shell/act.ts";
import { useCanAct, useHouse, useWords } from "../../../shell/house.ts";
import { useCamera, useOpen } from "../camera-desk.ts";
import { readAttachment, MOST_BYTES, type Attachment } from "./attachment.ts";

const MOST_FILES = 10;

export function AskPanel(): ReactNode {
  const words = useWords();
  const act = useAct();
  const open = useOpen();
  const camera = useCamera();
  const canAct = useCanAct();
  const { navigation } = useHouse();
  const [text, setText] = useState("");
  const [constraints, setConstraints] = useState("");
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const rules = constraints
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    const data = {
      text,
      ...(rules.length > 0 && { constraints: { rules } }),
      ...(files.length > 0 && { attachments: [...files] }),
    };
    if (!(await act({ name: "submit_request", data }, words.askDone))) return;
    // Whoever has gone on to something else in the meantime stays there.
    if (navigation.store.getState().show !== "ask") return;
    open(undefined);
    camera.flyTo("poi_meeting_table");
  };
  return (
    <form className="stack" onSubmit={(event) => void submit(event)}>
      <label className="field">
        <span>{words.askField}</span>
        <textarea
          required
          value={text}
          maxLength={20_000}
          placeholder={words.askPlaceholder}
          onChange={(event) => setText(event.target.value)}
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
      <FileField files={files} onChange={setFiles} />
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

interface FileFieldProps {
  readonly files: readonly Attachment[];
  readonly onChange: (files: readonly Attachment[]) => void;
}

function FileField({ files, onChange }: FileFieldProps): ReactNode {
  const words = useWords();
  const { notices } = useHouse();
  const add = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const chosen = [...(target.files ?? [])];
    target.value = "";
    for (const { name } of chosen.filter(({ size }) => size > MOST_BYTES)) {
      notices.say(words.askTooLarge(name), "refused");
    }
    const read = await Promise.all(
      chosen.filter(({ size }) => size <= MOST_BYTES).map(readAttachment),
    );
    onChange([...files, ...read].slice(0, MOST_FILES));
  };
  return (
    <div className="field">
      <label className="field">
        <span>{words.askFiles}</span>
        <input type="file" multiple onChange={(event) => void add(event)} />
      </label>
      {files.length > 0 && (
        <ul className="chips">
          {files.map((file, at) => (
            <li key={`${file.name} ${at}`} className="chip">
              {file.name}
              <button
                type="button"
                className="icon-button"
                aria-label={words.askRemove(file.name)}
                onClick={() => onChange(files.filter((each) => each !== file))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
