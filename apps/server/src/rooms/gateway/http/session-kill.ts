/** `POST /sessions/{key}/kill`: stops the run of a conversation, and those that wait. */
import { resolveKey, type Conversations, type CrewMember } from "@atrium/core";
import type { MessageIntake } from "../../../runs/message-intake.ts";
import { errorResponse, refusalResponse } from "./error-response.ts";

export interface SessionKillDeps {
  readonly crew: readonly CrewMember[];
  readonly conversations: Pick<Conversations, "get">;
  readonly intake: Pick<MessageIntake, "stop">;
}

export async function answerKill(
  sessionKey: string,
  agentId: string | undefined,
  { crew, conversations, intake }: SessionKillDeps,
): Promise<Response> {
  const key = resolveKey(crew, sessionKey, agentId);
  if (!key.ok) return refusalResponse(key);
  const { text } = key.value;
  if (conversations.get(text) === undefined) {
    return errorResponse(404, "not_found", `Session not found: ${sessionKey}`);
  }
  const stopped = await intake.stop(text, null, "killed");
  return stopped.ok
    ? Response.json({ ok: true, killed: stopped.value.length > 0 })
    : refusalResponse(stopped);
}
