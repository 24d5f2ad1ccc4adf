/** The envelope around everything we say: `{type, id, ts, v, payload}`. */
import type { RefusalCode } from "@atrium/core";
import {
  WORLD_VERSION,
  type WORLD_SERVER_MESSAGES,
  type WorldErrorCode,
  type WorldMessageOf,
} from "@atrium/wire/world";
import { omitEmpty } from "./omit-empty.ts";

type MessageType = keyof typeof WORLD_SERVER_MESSAGES;
export type MessagePayload<Type extends MessageType> = WorldMessageOf<Type>["payload"];

export interface Stamp {
  readonly id: string;
  readonly ts: number;
}

export function message<Type extends MessageType>(
  type: Type,
  { id, ts }: Stamp,
  payload: MessagePayload<Type>,
): string {
  return envelope(type, { id, ts }, JSON.stringify(payload));
}

export function envelope(type: MessageType, { id, ts }: Stamp, payload: string): string {
  return `{"type":"${type}","id":"${id}","ts":${ts},"v":${WORLD_VERSION},"payload":${payload}}`;
}

export interface CommandProblem {
  readonly code: WorldErrorCode;
  readonly message: string;
  readonly reason?: RefusalCode;
  readonly supportedVersions?: readonly number[];
}

export function answer(
  stamp: Omit<Stamp, "id"> & { readonly number: string },
  inReplyTo: string | undefined,
  problem?: CommandProblem,
  made: { readonly project_id?: string } = {},
): string {
  const { number, ts } = stamp;
  if (problem === undefined) {
    const ack = { in_reply_to: inReplyTo ?? "", status: "ok", ...made } as const;
    return message("ack", { id: `ack_${number}`, ts }, ack);
  }
  const { code, message: text, reason, supportedVersions } = problem;
  const supported_versions = supportedVersions && [...supportedVersions];
  const rest = omitEmpty({ in_reply_to: inReplyTo, reason, supported_versions });
  return message("error", { id: `err_${number}`, ts }, { code, message: text, ...rest });
}
