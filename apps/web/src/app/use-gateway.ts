/** A connection to the gateway for as long as a page that needs one is open. The browser's login lets it in. */
import { createGatewayClient, type ConnectionState, type GatewayClient } from "@atrium/client";
import { useEffect, useState } from "react";
import { WEB_CLIENT } from "../world/web-client.ts";
import { useApp } from "./app.ts";
import { OwnSocket } from "./server/own-server.ts";

const SCOPES = [
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.questions",
  "operator.pairing",
  // To delete conversations.
  "operator.admin",
];

export interface Gateway {
  /** Undefined until it was connected once. */
  readonly client: GatewayClient | undefined;
  readonly state: ConnectionState;
}

export function useGateway(): Gateway {
  const { person } = useApp();
  const [client, setClient] = useState<GatewayClient>();
  const [state, setState] = useState<ConnectionState>({ state: "idle" });
  useEffect(() => {
    const { name } = person.getState();
    const opened = createGatewayClient({
      url: `${location.origin.replace(/^http/, "ws")}/`,
      client: {
        id: WEB_CLIENT,
        version: "1",
        platform: "web",
        mode: "webchat",
        ...(name !== "" && { displayName: name }),
      },
      scopes: SCOPES,
      deps: { WebSocket: OwnSocket },
    });
    opened.onState(setState);
    // How it goes is told as a state; what is built on it begins with the first hello.
    opened.connect().then(
      () => setClient(opened),
      () => undefined,
    );
    return () => void opened.close();
  }, [person]);
  return { client, state };
}
