/** A session that someone started in a terminal: what it is, what it does, and what people leave for it. */
import type { JoinedSessionInfo, WorldAgent } from "@atrium/wire/world";
import { Fragment, useState, type ReactNode, type SubmitEvent } from "react";
import { useCanAct, useTexts } from "../../../app/app.ts";
import { useSendCommand } from "../../../app/feedback/send-command.ts";
import { Button } from "../../../ui/controls.tsx";
import {
  readOnlyText,
  whatBecameOfIt,
  whenItArrives,
  whereItIsAnswered,
} from "../text/joined-text.ts";

interface JoinedProps {
  readonly agent: WorldAgent;
  readonly joined: JoinedSessionInfo;
}

export function JoinedSession({
  agent,
  joined,
  isAsking,
}: JoinedProps & { readonly isAsking: boolean }): ReactNode {
  const texts = useTexts();
  const { joined: words } = texts;
  const answers = whereItIsAnswered(joined, texts);
  const { program, model, owner, folder, branch, doing, can_ask: canAsk } = joined;
  const isRead = joined.source === "transcript";
  const place =
    folder !== undefined && branch !== undefined ? words.branch(folder, branch) : folder;
  const facts = [
    [words.program, program],
    [words.model, model],
    [words.owner, owner],
    [words.folder, place],
    [words.doing, doing],
    [words.source, isRead ? words.fromTranscript : undefined],
  ] as const;
  return (
    <>
      <dl className="facts">
        {facts.map(([name, value]) =>
          value === undefined ? null : (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </Fragment>
          ),
        )}
      </dl>
      {isAsking && !canAsk && <p className="hint">{words.asksInTerminal}</p>}
      {isRead ? (
        <p className="hint">{readOnlyText(joined, texts)}</p>
      ) : (
        <>
          {answers !== undefined && <p className="hint">{answers}</p>}
          {joined.takes_tasks === true && <p className="hint">{words.takesTasks}</p>}
          <Messages joined={joined} />
          <MessageForm agent={agent} joined={joined} />
        </>
      )}
    </>
  );
}

function Messages({ joined: { messages = [] } }: Pick<JoinedProps, "joined">): ReactNode {
  const texts = useTexts();
  const { joined: words } = texts;
  if (messages.length === 0) return null;
  return (
    <section className="stack is-tight">
      <h4>{words.messages}</h4>
      <ul>
        {messages.map((message) => (
          <li key={message.message_id}>
            <bdi>{message.by}</bdi>: <span dir="auto">{message.text}</span>{" "}
            <span className="hint">{whatBecameOfIt(message, texts)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MessageForm({ agent, joined }: JoinedProps): ReactNode {
  const texts = useTexts();
  const { joined: words } = texts;
  const act = useSendCommand();
  const canAct = useCanAct();
  const [text, setText] = useState("");
  const arrival = whenItArrives(joined, agent.status, texts);
  if (joined.message_moments.length === 0) return <p className="hint">{arrival}</p>;
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const message = text.trim();
    if (message === "") return;
    const data = { agent_id: agent.agent_id, text: message };
    if (await act({ name: "leave_message", data })) setText("");
  };
  return (
    <form className="stack is-tight" onSubmit={(event) => void send(event)}>
      <div className="leave-message">
        <input
          className="input"
          aria-label={words.field}
          aria-describedby="joined-arrival"
          placeholder={words.field}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" look="primary" disabled={!canAct || text.trim() === ""}>
          {words.leave}
        </Button>
      </div>
      <p className="hint" id="joined-arrival">
        {arrival}
      </p>
    </form>
  );
}
