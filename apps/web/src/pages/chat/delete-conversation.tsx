/** The way to delete a conversation for good, with a question before it; an agent's main one is emptied instead. */
import type { GatewayClient } from "@atrium/client";
import { useId, useRef, useState, type ReactNode } from "react";
import { useApp, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { Button } from "../../ui/controls.tsx";

export interface DeleteConversationProps {
  readonly client: Pick<GatewayClient, "call">;
  readonly sessionKey: string;
  readonly title: string;
  readonly canAct: boolean;
}

export function DeleteConversation(props: DeleteConversationProps): ReactNode {
  const { client, sessionKey: key, title, canAct } = props;
  const { chat } = useTexts();
  const { navigation, notices } = useApp();
  const [isErasing, setIsErasing] = useState(false);
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const isMain = /^agent:[^:]+:main$/.test(key);
  const words = isMain ? chat.emptying : chat.deleting;
  const erase = async (): Promise<void> => {
    setIsErasing(true);
    try {
      if (isMain) await client.call("sessions.reset", { key, deleteTranscript: true });
      else await client.call("sessions.delete", { key, deleteTranscript: true });
      dialog.current?.close();
      notices.say(words.done);
      navigation.go("/chat");
    } catch (error) {
      notices.say(chat.notErased(messageOf(error)), "refused");
      setIsErasing(false);
    }
  };
  return (
    <>
      <button
        type="button"
        className="button is-small is-danger chat-delete"
        disabled={!canAct}
        onClick={() => dialog.current?.showModal()}
      >
        {words.action}
      </button>
      <dialog ref={dialog} className="chat-dialog" aria-labelledby={heading}>
        <h2 id={heading}>{words.question}</h2>
        <p className="chat-dialog-title as-written">{title}</p>
        <p>{chat.erases}</p>
        <p className="hint">{chat.erasesNot}</p>
        <p>
          <strong>{chat.cannotBeUndone}</strong>
        </p>
        <div className="row chat-dialog-actions">
          <Button autoFocus disabled={isErasing} onClick={() => dialog.current?.close()}>
            {chat.cancel}
          </Button>
          <Button look="danger" disabled={isErasing || !canAct} onClick={() => void erase()}>
            {isErasing ? chat.erasing : words.sure}
          </Button>
        </div>
      </dialog>
    </>
  );
}
