/**
 * Which conversation a request belongs to.
 *
 *   x-openclaw-session-key    that conversation; it remembers
 *   user                      one conversation per user and agent; it remembers
 *   neither                   a conversation of its own, used once
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
  /** Names the conversation of a request that asks for none. */
  readonly ownId: string;
}

// Users that a key can carry unescaped. Keys are lowercased, so other names could collide.
const PLAIN_USER = /^[a-z0-9._:@-]{1,200}$/;

export function bindingOf(crew: readonly CrewMember[], wanted: BindingRequest): Result<Binding> {
  const { target, sessionKey, user, ownId } = wanted;
  const { handle, isNamed } = target;
  if (sessionKey !== undefined) {
    const key = resolveKey(crew, sessionKey, isNamed ? handle : undefined);
    if (!key.ok) {
      const { message, code } = refusalProblem(key);
      return fail(invalid("x-openclaw-session-key", message, code));
    }
    return ok({ key: key.value, isBound: true });
  }
  const rest = user === undefined ? `openai:${ownId}` : `openai-user:${userName(user)}`;
  const key = resolveKey(crew, rest, handle);
  if (!key.ok) return fail(refusalProblem(key));
  return ok({ key: key.value, isBound: user !== undefined });
}

function userName(user: string): string {
  if (PLAIN_USER.test(user)) return user;
  // As JSON, because UTF-8 would encode every lone surrogate as the same character.
  return `sha256-${createHash("sha256").update(JSON.stringify(user)).digest("hex")}`;
}
