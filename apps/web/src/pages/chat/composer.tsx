/** Where one writes to an agent: words, and files that are picked, pasted or dropped. */
import { useState, type KeyboardEvent, type ReactNode, type SubmitEvent } from "react";
import { useTexts } from "../../app/app.ts";
import { Button } from "../../ui/controls.tsx";
import { AttachButton } from "../../ui/files/attach-button.tsx";
import type { AttachedFile } from "../../ui/files/attached-files.ts";
import { FileChips } from "../../ui/files/file-chips.tsx";
import { useFileDrops } from "../../ui/files/file-drops.ts";
import { useAttachedFiles } from "../../ui/files/use-attached-files.ts";

export interface ComposerProps {
  readonly canAct: boolean;
  /** Resolves with whether it was taken; what was not stays. */
  readonly onSend: (text: string, files: readonly AttachedFile[]) => Promise<boolean>;
  /** There while an answer is under way. */
  readonly onStop?: (() => void) | undefined;
}

export function Composer({ canAct, onSend, onStop }: ComposerProps): ReactNode {
  const words = useTexts().chat;
  const [text, setText] = useState("");
  const attached = useAttachedFiles();
  const { files } = attached;
  const { isOver, onPaste, dropProps } = useFileDrops((chosen) => void attached.add(chosen));
  const canSend = canAct && (text.trim() !== "" || files.length > 0);
  const send = async (): Promise<void> => {
    if (!canSend) return;
    setText("");
    attached.setFiles([]);
    if (await onSend(text, files)) return;
    setText(text);
    attached.setFiles(files);
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
    <form className="chat-composer" data-over={isOver} onSubmit={submit} {...dropProps}>
      <FileChips files={files} onRemove={attached.remove} />
      <textarea
        rows={2}
        aria-label={words.messageLabel}
        aria-describedby="composer-hint"
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
        onPaste={onPaste}
      />
      <div className="row spread">
        <AttachButton onFiles={(chosen) => void attached.add(chosen)} />
        <span id="composer-hint" className="hint">
          {words.sendHint}
        </span>
        <span className="row">
          {onStop !== undefined && (
            <Button look="danger" disabled={!canAct} onClick={onStop}>
              {words.stop}
            </Button>
          )}
          <Button type="submit" look="primary" disabled={!canSend}>
            {words.send}
          </Button>
        </span>
      </div>
    </form>
  );
}
