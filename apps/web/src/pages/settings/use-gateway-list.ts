/** A list of the gateway's that is read, acted upon, and read again. */
import type { GatewayClient } from "@atrium/client";
import { useCallback, useEffect, useState } from "react";
import { useApp } from "../../app/app.ts";
import { messageOf } from "../../app/feedback/error-text.ts";
import { useGateway } from "../../app/use-gateway.ts";

/** Others change these lists too. */
const LOOK_MS = 4_000;

export interface GatewayList<Row> {
  /** Undefined until it was read. */
  readonly rows: readonly Row[] | undefined;
  /** Says why when it is refused. */
  readonly act: (deed: (client: GatewayClient) => Promise<unknown>) => Promise<void>;
}

/** `read` stays the same function. */
export function useGatewayList<Row>(
  read: (client: GatewayClient) => Promise<readonly Row[]>,
): GatewayList<Row> {
  const { client } = useGateway();
  const { notices } = useApp();
  const [rows, setRows] = useState<readonly Row[]>();
  const look = useCallback(async (): Promise<void> => {
    if (client !== undefined) setRows(await read(client));
  }, [client, read]);
  useEffect(() => {
    // What cannot be read is not there: the banner says that the server is gone.
    const tryLook = (): void => void look().catch(() => undefined);
    tryLook();
    const looking = setInterval(tryLook, LOOK_MS);
    return () => clearInterval(looking);
  }, [look]);
  const act: GatewayList<Row>["act"] = async (deed) => {
    if (client === undefined) return;
    try {
      await deed(client);
      await look();
    } catch (error) {
      notices.say(messageOf(error), "refused");
    }
  };
  return { rows, act };
}
