/** Where a conversation begins: whom one talks to, and what one says first. */
import type { GatewayClient } from "@atrium/client";
import { useState, type ReactNode } from "react";
import { useApp, useRoute, useTexts } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { useCrewNames } from "../../ui/agent-names.ts";
import { Field } from "../../ui/controls.tsx";
import type { AttachedFile } from "../../ui/files/attached-files.ts";
import { Composer } from "./composer.tsx";
import { toAttachment } from "./conversation.ts";

export function NewConversation({ client }: { readonly client: GatewayClient }): ReactNode {
  const words = useTexts().chat;
  const { navigation, notices } = useApp();
  const crew = useCrewNames();
  // Whoever came to talk to someone has said to whom.
  const { show = "main" } = useRoute();
  const [handle, setHandle] = useState(show);
  const [isSending, setIsSending] = useState(false);
  const begin = async (text: string, files: readonly AttachedFile[]): Promise<boolean> => {
    setIsSending(true);
    try {
      const message = text.trim();
      const attachments = files.map(toAttachment);
      const params = { agentId: handle, message, attachments };
      const { key } = await client.call("sessions.create", params);
      navigation.go(`/chat/${encodeURIComponent(key)}`);
      return true;
    } catch (error) {
      notices.say(words.refused(messageOf(error)), "refused");
      setIsSending(false);
      return false;
    }
  };
  return (
    <section className="start-form" aria-labelledby="new-conversation">
      <h1 id="new-conversation">{words.new}</h1>
      <p className="hint">{words.newIntro}</p>
      <Field label={words.agent}>
        <select value={handle} onChange={(event) => setHandle(event.target.value)}>
          {crew.map((agent) => (
            <option key={agent.handle} value={agent.handle}>
              {agent.name}
            </option>
          ))}
        </select>
      </Field>
      <Composer canAct={!isSending} onSend={begin} />
    </section>
  );
}
