/**
 * What goes to a session of Qwen Code and comes back, in lines of JSON: version 1 of the program's protocol between
 * sessions (`cross-session-protocol.md` of its package). Pure.
 */
import { createHash } from "node:crypto";
import { parseFields, textIn, type Fields } from "../../agents/turn/json-fields.ts";

export interface PeerMessage {
  /** The program knows by it what it has had already. */
  readonly msgId: string;
  /** Where it says what became of it, and with which words it shows that it may. */
  readonly from: string;
  readonly replyToken: string;
  readonly toSessionId: string;
  readonly text: string;
}

export type ReceiptStatus =
  | "held"
  | "delivered"
  | "denied"
  | "refused"
  | "expired"
  | "misaddressed"
  | "dropped";

export interface Receipt {
  readonly msgId: string;
  readonly status: ReceiptStatus;
}

const VERSION = 1;
const NAME = "Atrium";
const STATUSES: ReadonlyMap<unknown, ReceiptStatus> = new Map(
  (["held", "delivered", "denied", "refused", "expired", "misaddressed", "dropped"] as const).map(
    (each) => [each, each],
  ),
);

/** The same for the same message, also after a restart. */
export function msgIdOf(id: string, messageId: string): string {
  return createHash("sha256")
    .update(JSON.stringify([id, messageId]))
    .digest("hex")
    .slice(0, 32);
}

/** How a message is reviewed is not said: of what a session does with it, Atrium decides nothing. */
export function encodeMessage(token: string, { text, ...message }: PeerMessage): string {
  const auth = { msgV: VERSION, type: "auth", token };
  const frame = {
    msgV: VERSION,
    type: "user",
    ...message,
    fromName: NAME,
    message: { role: "user", content: text },
  };
  return `${JSON.stringify(auth)}\n${JSON.stringify(frame)}\n`;
}

/** Undefined: it is another line. */
export function readAuth(line: string): string | undefined {
  const fields = fieldsIn(line);
  return fields["type"] === "auth" ? textIn(fields, "token") : undefined;
}

/** Undefined: it is no receipt, or one that a later version may explain. */
export function readReceipt(line: string): Receipt | undefined {
  const fields = fieldsIn(line);
  const isReceipt = fields["type"] === "control" && fields["action"] === "delivery_status";
  const [status, msgId] = [STATUSES.get(fields["status"]), textIn(fields, "origMsgId")];
  return isReceipt && status !== undefined && msgId !== undefined ? { msgId, status } : undefined;
}

function fieldsIn(line: string): Fields {
  const fields = parseFields(line) ?? {};
  const { msgV } = fields;
  return typeof msgV === "number" && msgV <= VERSION ? fields : {};
}
