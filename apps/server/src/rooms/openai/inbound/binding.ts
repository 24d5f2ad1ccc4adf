/**
 * Which conversation a request belongs to.
 *
 *   x-openclaw-session-key    that conversation; it remembers
 *   user                      one conversation per user and agent; it remembers
 *   x-session-affinity        one conversation per session of the client and agent; it remembers
 *   none of them              a conversation of its own, used once
 */
import { createHash } from "node:crypto";
import { resolveKey, type ConversationKey, type CrewMember } from "@atrium/core";
import { fail, ok, invalid, refusalProblem, type Result } from "../outbound/problem.ts";
import type { Target } from "./model-ids.ts";

export interface Binding {
  readonly key: ConversationKey;
  readonly isBound: boolean;
}

export interface BindingRequest {
  readonly target: Target;
  readonly sessionKey: string | undefined;
  readonly user: string | undefined;
  /** The client's own name for what belongs together, as OpenClaw sends it. */
  readonly affinity: string | undefined;
  /** Names the conversation of a request that asks for none. */
  readonly ownId: string;
}

// Names that a key can carry unescaped. Keys are lowercased, so other names could collide.
const PLAIN_NAME = /^[a-z0-9._:@-]{1,200}$/;

export function bindingOf(crew: readonly CrewMember[], wanted: BindingRequest): Result<Binding> {
  const { target, sessionKey, user, affinity, ownId } = wanted;
  const { handle, isNamed } = target;
  if (sessionKey !== undefined) {
    const key = resolveKey(crew, sessionKey, isNamed ? handle : undefined);
    if (!key.ok) {
      const { message, code } = refusalProblem(key);
      return fail(invalid("x-openclaw-session-key", message, code));
    }
    return ok({ key: key.value, isBound: true });
  }
  const bound =
    user === undefined
      ? affinity && `openai-session:${plainName(affinity)}`
      : `openai-user:${plainName(user)}`;
  const key = resolveKey(crew, bound ?? `openai:${ownId}`, handle);
  if (!key.ok) return fail(refusalProblem(key));
  return ok({ key: key.value, isBound: bound !== undefined });
}

function plainName(name: string): string {
  if (PLAIN_NAME.test(name)) return name;
  // As JSON, because UTF-8 would encode every lone surrogate as the same character.
  return `sha256-${createHash("sha256").update(JSON.stringify(name)).digest("hex")}`;
}
