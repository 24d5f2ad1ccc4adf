/** One conversation: what was said, what is being said, what it asks, and where one writes. */
import type { ConnectionState, GatewayClient } from "@atrium/client";
import type { SessionRow } from "@atrium/wire/gateway";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useApp, useTexts } from "../../app/app.ts";
import { useAgentName } from "../../ui/agent-names.ts";
import { Button, Chip } from "../../ui/controls.tsx";
import { useFollowEnd } from "../../ui/follow-end.ts";
import { Link } from "../../ui/link.tsx";
import { ChatLineView, StreamingLine } from "./chat-line.tsx";
import { Composer } from "./composer.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { openConversation, type Conversation, type ConversationView } from "./conversation.ts";
import { titleOf } from "./conversations.ts";
import { DeleteConversation } from "./delete-conversation.tsx";
import { requestsIn, type OpenRequests } from "./open-requests.ts";
import { RequestCards } from "./request-cards.tsx";
import { answeredRuns, linesOf, stoppedLast, type ChatLine } from "./transcript.ts";

export interface ConversationPaneProps {
  readonly client: GatewayClient;
  readonly sessionKey: string;
  readonly row: SessionRow | undefined;
  readonly openRequests: OpenRequests;
  readonly state: ConnectionState;
}

export function ConversationPane(props: ConversationPaneProps): ReactNode {
  const { client, sessionKey } = props;
  const [conversation, setConversation] = useState<Conversation>();
  useEffect(() => {
    const opened = openConversation(client, sessionKey);
    setConversation(opened);
    const held = client.subscribeMessages(sessionKey);
    return () => {
      opened.close();
      held.then(
        (release) => release(),
        () => undefined,
      );
    };
  }, [client, sessionKey]);
  return conversation === undefined ? null : <Pane conversation={conversation} {...props} />;
}

interface PaneProps extends ConversationPaneProps {
  readonly conversation: Conversation;
}

function Pane({
  client,
  conversation,
  sessionKey,
  row,
  openRequests,
  state,
}: PaneProps): ReactNode {
  const words = useTexts().chat;
  const { notices } = useApp();
  const nameOf = useAgentName();
  const view = useStore(conversation.store);
  const { messages, isLoaded, earlierOffset, streaming, isBusy } = view;
  const lines = useLines(view, row?.status);
  const answered = useMemo(() => answeredRuns(messages), [messages]);
  // The history may have an answer a moment before its end is told.
  const live = [...streaming].filter(([runId]) => !answered.has(runId));
  const here = requestsIn(useStore(openRequests.store), row?.key ?? sessionKey);
  const agent = nameOf(row?.agentId ?? agentIn(sessionKey));
  const requests = here.approvals.length + here.questions.length;
  const { scroller } = useFollowEnd(lines.length, streaming, requests);
  const say = async (attempt: Promise<string | undefined>): Promise<boolean> => {
    const refused = await attempt;
    if (refused !== undefined) notices.say(words.refused(refused), "refused");
    return refused === undefined;
  };
  const canAct = state.state === "ready";
  const [failed, again] = lastFailure(lines);
  const retry = (): void => void (again !== undefined && say(conversation.send(again)));
  const isAnswering = live.length > 0 || isBusy || row?.hasActiveRun === true;
  return (
    <section className="chat-pane" aria-label={agent}>
      <PaneHead client={client} row={row} agent={agent} canAct={canAct} />
      <ConnectionNote state={state} />
      <div
        className="chat-scroll"
        ref={scroller}
        tabIndex={0}
        role="log"
        aria-label={words.listTitle}
      >
        {earlierOffset !== undefined && (
          <Button look="quiet small" onClick={() => void conversation.readEarlier()}>
            {words.earlier}
          </Button>
        )}
        {isLoaded && lines.length === 0 && <p className="hint">{words.nothing}</p>}
        <ol className="talk">
          {lines.map((line) => (
            <ChatLineView
              key={`${line.kind} ${line.id}`}
              line={line}
              agent={agent}
              onRetry={line === failed && again !== undefined ? retry : undefined}
            />
          ))}
          {live.map(([runId, answer]) => (
            <StreamingLine key={runId} answer={answer} agent={agent} />
          ))}
          {isAnswering && live.length === 0 && (
            <StreamingLine answer={{ text: "", tool: undefined }} agent={agent} />
          )}
        </ol>
        <RequestCards view={here} openRequests={openRequests} canAct={canAct} />
      </div>
      <Composer
        canAct={canAct}
        onSend={(text, files) => say(conversation.send(text, files))}
        onStop={isAnswering ? () => void say(conversation.stop()) : undefined}
      />
    </section>
  );
}

interface PaneHeadProps extends Pick<PaneProps, "client" | "row"> {
  readonly agent: string;
  readonly canAct: boolean;
}

function PaneHead({ client, row, agent, canAct }: PaneHeadProps): ReactNode {
  const words = useTexts().chat;
  return (
    <header className="chat-head">
      <Link to="/chat" className="list-back">
        ← {words.back}
      </Link>
      <h1 className="as-written">{row === undefined ? agent : titleOf(row)}</h1>
      <Chip>{agent}</Chip>
      {row?.model !== undefined && <span className="hint">{row.model}</span>}
      {row !== undefined && (
        <DeleteConversation
          client={client}
          sessionKey={row.key}
          title={titleOf(row)}
          canAct={canAct}
        />
      )}
    </header>
  );
}

/** The newest answer when it failed, and what it was to; with files, these would have to be given again. */
function lastFailure(lines: readonly ChatLine[]): readonly [ChatLine?, string?] {
  const last = lines.at(-1);
  if (last?.kind !== "words" || last.failure === undefined) return [];
  const question = lines.findLast((line) => line.kind === "words" && line.who === "person");
  const isPlain = question?.kind === "words" && question.files.length === 0 && question.text !== "";
  return isPlain ? [last, question.text] : [last];
}

function useLines(
  { messages, stopped }: ConversationView,
  status: SessionRow["status"],
): readonly ChatLine[] {
  return useMemo(
    () => linesOf(messages, new Set([...stopped, ...stoppedLast(messages, status)])),
    [messages, stopped, status],
  );
}

/** `agent:eng_1:main` is with eng_1. */
function agentIn(sessionKey: string): string {
  const [, agent] = /^agent:([^:]+):/.exec(sessionKey) ?? [];
  return agent ?? "main";
}
