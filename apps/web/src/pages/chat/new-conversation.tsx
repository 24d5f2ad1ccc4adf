import type { GatewayClient } from "@atrium/client";
import { useState, type SubmitEvent, type ReactNode } from "react";
import { useHouse, useRoute, useWords } from "../../shell/house.ts";
import { useCrewNames } from "../agent-names.ts";

export function NewConversation({ client }: { readonly client: GatewayClient }): ReactNode {
  const words = useWords().chat;
  const { navigation, notices } = useHouse();
  const crew = useCrewNames();
  // Whoever came to talk to someone has said to whom.
  const { show = "main" } = useRoute();
  const [handle, setHandle] = useState(show);
  const [message, setMessage] = useState("");
  const [isSending, setIsSending] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setIsSending(true);
    try {
      const said = message.trim();
      const { key } = await client.call("sessions.create", { agentId: handle, message: said });
      navigation.go(`/chat/${encodeURIComponent(key)}`);
    } catch (error) {
      notices.say(words.refused(error instanceof Error ? error.message : String(error)), "refused");
      setIsSending(false);
    }
  };
  return (
    <form className="start-form" onSubmit={(event) => void submit(event)}>
      <h1>{words.new}</h1>
      <p className="hint">{words.newIntro}</p>
      <label className="field">
        <span>{words.with}</span>
        <select value={handle} onChange={(event) => setHandle(event.target.value)}>
          {crew.map((agent) => (
            <option key={agent.handle} value={agent.handle}>
              {agent.name}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span>{words.firstMessage}</span>
        <textarea rows={4} value={message} onChange={(event) => setMessage(event.target.value)} />
      </label>
      <button
        type="submit"
        className="button is-primary"
        disabled={message.trim() === "" || isSending}
      >
        {words.begin}
      </button>
    </form>
  );
}
