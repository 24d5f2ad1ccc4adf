/**
 * The credential of an authenticated peer, and its address. Every admitted request and socket carries it, so
 * that a decision can name the credential it was made with. It never holds a secret.
 */
import type { Answerer, UndecidableCode } from "@atrium/core";

export type Credential =
  /** The shared token. */
  | { readonly kind: "token" }
  | { readonly kind: "browser"; readonly sessionId: string }
  /** A paired device, by its own token or by the shared one and a proof of its key. */
  | { readonly kind: "device"; readonly deviceId: string; readonly role: string }
  /** None was needed, because it is on this machine. */
  | { readonly kind: "local" }
  /** The token of a process that works for the server. */
  | { readonly kind: "run"; readonly conversationKey: string }
  /** The secret of the hooks of joined sessions, which every program of the user can read. */
  | { readonly kind: "hook" };

export interface Principal {
  readonly credential: Credential;
  readonly address: string;
  /** On this machine, with nothing in between. */
  readonly isLocal: boolean;
  /** Whether the connection comes from a process that works for the server, whatever it presented. */
  readonly isOfAgent?: (() => boolean) | undefined;
}

/**
 * Why a principal may not decide: a token that an agent was given, or can read, proves no person; and from another
 * machine the shared token alone belongs to no device or browser that a person has approved.
 */
export function whyUndecided(principal: Principal): UndecidableCode | undefined {
  const { credential, isLocal, isOfAgent } = principal;
  if (credential.kind === "run" || credential.kind === "hook") return "credential.run";
  if (credential.kind === "token" && !isLocal) return "credential.elsewhere";
  return isOfAgent?.() === true ? "credential.run" : undefined;
}

export function answererFrom(
  principal: Principal,
  who: { readonly id: string; readonly name: string; readonly via: string },
): Answerer {
  const { credential, address: from } = principal;
  switch (whyUndecided(principal)) {
    case undefined:
      return { ...who, credential: describeForLog(credential), from };
    case "credential.run":
      return { ...who, credential: { kind: "run" }, from };
    case "credential.elsewhere":
      return { ...who, credential: { kind: "elsewhere" }, from };
  }
}

function describeForLog(credential: Credential): NonNullable<Answerer["credential"]> {
  switch (credential.kind) {
    case "token":
    case "local":
      return { kind: credential.kind };
    case "browser":
      return { kind: "browser", id: credential.sessionId };
    case "device":
      return { kind: "device", id: credential.deviceId };
    case "run":
      return { kind: "run", id: credential.conversationKey };
    case "hook":
      return { kind: "run" };
  }
}
