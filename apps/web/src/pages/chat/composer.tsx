/** Where one writes to an agent: words, and files that are picked, pasted or dropped. */
import {
  useState,
  type ChangeEvent,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
  type SubmitEvent,
} from "react";
import { useWords } from "../../shell/house.ts";
import type { AttachedFile } from "../attached-files.ts";
import { FileChips } from "../file-chips.tsx";
import { useAttachedFiles } from "../use-attached-files.ts";

export interface ComposerProps {
  readonly canAct: boolean;
  /** Resolves with whether it was taken; what was not stays. */
  readonly onSend: (text: string, files: readonly AttachedFile[]) => Promise<boolean>;
  /** There while an answer is under way. */
  readonly onStop?: (() => void) | undefined;
}

export function Composer({ canAct, onSend, onStop }: ComposerProps): ReactNode {
  const words = useWords().chat;
  const [text, setText] = useState("");
  const attached = useAttachedFiles();
  const { files } = attached;
  const [isOver, setIsOver] = useState(false);
  const canSend = canAct && (text.trim() !== "" || files.length > 0);
  const send = async (): Promise<void> => {
    if (!canSend) return;
    setText("");
    attached.setFiles([]);
    if (await onSend(text, files)) return;
    setText(text);
    attached.setFiles(files);
  };
  const take = (event: ClipboardEvent | DragEvent, from: DataTransfer): void => {
    if (from.files.length === 0) return;
    event.preventDefault();
    void attached.add([...from.files]);
  };
  const drag = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(true);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void send();
  };
  const press = (event: KeyboardEvent): void => {
    // Enter also ends the choosing of a character in other scripts.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };
  return (
    <form
      className="chat-composer"
      data-over={isOver}
      onSubmit={submit}
      onDragOver={drag}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        setIsOver(false);
        take(event, event.dataTransfer);
      }}
    >
      <FileChips files={files} onRemove={attached.remove} />
      <textarea
        rows={2}
        aria-label={words.messageLabel}
        aria-describedby="composer-hint"
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={(event) => take(event, event.clipboardData)}
      />
      <div className="row spread">
        <AttachButton onFiles={(chosen) => void attached.add(chosen)} />
        <span id="composer-hint" className="hint">
          {words.sendHint}
        </span>
        <span className="row">
          {onStop !== undefined && (
            <button type="button" className="button is-danger" disabled={!canAct} onClick={onStop}>
              {words.stop}
            </button>
          )}
          <button type="submit" className="button is-primary" disabled={!canSend}>
            {words.send}
          </button>
        </span>
      </div>
    </form>
  );
}

function AttachButton({
  onFiles,
}: {
  readonly onFiles: (files: readonly File[]) => void;
}): ReactNode {
  const words = useWords().chat;
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(target.files ?? [])]);
    // The same file may be chosen again after it was taken back.
    target.value = "";
  };
  return (
    <label className="button is-quiet is-small chat-attach" title={words.attachHint}>
      <span aria-hidden="true">+</span>
      <span>{words.attach}</span>
      <input
        type="file"
        multiple
        className="visually-hidden"
        aria-description={words.attachHint}
        onChange={choose}
      />
    </label>
  );
}
