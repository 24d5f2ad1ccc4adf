/** Conversations with agents over the gateway: all of them, a new one, and the one that is open. */
import type { ConnectionState, GatewayClient } from "@atrium/client";
import type { SessionRow } from "@atrium/wire/gateway";
import { useEffect, useState, type ReactNode } from "react";
import { useStore } from "zustand";
import { useRoute, useTexts } from "../../app/app.ts";
import { useGateway } from "../../app/use-gateway.ts";
import { useAgentName } from "../../ui/agent-names.ts";
import { Chip } from "../../ui/controls.tsx";
import { MasterDetail, ListRow } from "../../ui/master-detail.tsx";
import { ConnectionNote } from "./connection-note.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { isProjectWork, openConversations, titleOf, type Conversations } from "./conversations.ts";
import { NewConversation } from "./new-conversation.tsx";
import { openRequests, type OpenRequests } from "./open-requests.ts";

export function ChatPage(): ReactNode {
  const { client, state } = useGateway();
  const [stores, setStores] = useState<Stores>();
  useEffect(() => {
    if (client === undefined) return undefined;
    const later = (run: () => void, delayMs: number): void => void setTimeout(run, delayMs);
    const opened = {
      conversations: openConversations(client, later),
      requests: openRequests(client),
    };
    setStores(opened);
    return () => {
      opened.conversations.close();
      opened.requests.close();
    };
  }, [client]);
  if (client === undefined || stores === undefined) return <ConnectionNote state={state} />;
  return <Chat client={client} state={state} {...stores} />;
}

interface Stores {
  readonly conversations: Conversations;
  readonly requests: OpenRequests;
}

interface ChatProps extends Stores {
  readonly client: GatewayClient;
  readonly state: ConnectionState;
}

function Chat({ client, state, conversations, requests }: ChatProps): ReactNode {
  const words = useTexts().chat;
  const { rest: openKey } = useRoute();
  const { rows } = useStore(conversations.store);
  const { approvals, questions } = useStore(requests.store);
  const waiting = new Set([
    ...approvals.map(({ request }) => request.sessionKey),
    ...questions.map(({ sessionKey }) => sessionKey),
  ]);
  const open = rows?.find(({ key }) => key === openKey);
  return (
    <MasterDetail
      title={words.listTitle}
      home="/chat"
      newLabel={words.newShort}
      isOpen={openKey !== ""}
      list={
        <>
          {rows?.length === 0 && <p className="hint">{words.none}</p>}
          <ul className="list-rows">
            {rows?.map((row) => (
              <ConversationRow
                key={row.key}
                row={row}
                isOpen={row.key === openKey}
                isWaiting={waiting.has(row.key)}
              />
            ))}
          </ul>
        </>
      }
    >
      {openKey === "" ? (
        <NewConversation client={client} />
      ) : (
        <ConversationPane
          key={openKey}
          client={client}
          sessionKey={openKey}
          row={open}
          openRequests={requests}
          state={state}
        />
      )}
    </MasterDetail>
  );
}

interface ConversationRowProps {
  readonly row: SessionRow;
  readonly isOpen: boolean;
  readonly isWaiting: boolean;
}

function ConversationRow({ row, isOpen, isWaiting }: ConversationRowProps): ReactNode {
  const words = useTexts().chat;
  const nameOf = useAgentName();
  return (
    <ListRow to={`/chat/${encodeURIComponent(row.key)}`} isOpen={isOpen}>
      <strong>{titleOf(row)}</strong>
      <small>{row.lastMessagePreview}</small>
      <span className="row">
        <span className="hint">{nameOf(row.agentId)}</span>
        {isProjectWork(row) && <Chip>{words.projectWork}</Chip>}
        {isWaiting && <Chip tone="asks">{words.needsYou}</Chip>}
        {!isWaiting && row.hasActiveRun && <Chip>{words.running}</Chip>}
      </span>
    </ListRow>
  );
}
