import { useState, type SubmitEvent, type KeyboardEvent, type ReactNode } from "react";
import { useWords } from "../../shell/house.ts";

export interface ComposerProps {
  readonly canAct: boolean;
  readonly isAnswering: boolean;
  /** Resolves with whether it was taken; what was not stays. */
  readonly onSend: (text: string) => Promise<boolean>;
  readonly onStop: () => void;
}

export function Composer({ canAct, isAnswering, onSend, onStop }: ComposerProps): ReactNode {
  const words = useWords().chat;
  const [text, setText] = useState("");
  const canSend = canAct && text.trim() !== "";
  const send = async (): Promise<void> => {
    if (!canSend) return;
    setText("");
    if (!(await onSend(text))) setText(text);
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
    <form className="chat-composer" onSubmit={submit}>
      <textarea
        rows={2}
        aria-label={words.messageLabel}
        aria-describedby="composer-hint"
        placeholder={words.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={press}
      />
      <div className="row spread">
        <span id="composer-hint" className="hint">
          {words.sendHint}
        </span>
        <span className="row">
          {isAnswering && (
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
