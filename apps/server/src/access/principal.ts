/**
 * By what someone came in, and from where. Every request and socket that passed a door carries it, so
 * that what is decided can say by which credential it was. It never holds a secret.
 */
import type { Answerer, UndecidableCode } from "@atrium/core";

export type Credential =
  /** The token that everybody shares. */
  | { readonly kind: "token" }
  | { readonly kind: "browser"; readonly sessionId: string }
  /** A paired device, by its own token or by the shared one and a proof of its key. */
  | { readonly kind: "device"; readonly deviceId: string; readonly role: string }
  /** Nothing was asked for, because it is on this machine. */
  | { readonly kind: "local" }
  /** What the server gave to a process that works for it. */
  | { readonly kind: "run"; readonly conversationKey: string };

export interface Principal {
  readonly credential: Credential;
  readonly address: string;
  /** On this machine, with nothing in between. */
  readonly isLocal: boolean;
  /** Whether the connection is one of a process that works for the server, whatever it has shown. */
  readonly isOfAgent?: (() => boolean) | undefined;
}

/**
 * Why someone decides nothing: what an agent was given, or can take, is no person's; and from another machine the
 * shared token alone is nobody's whom a person has let in, as a device or a browser.
 */
export function whyUndecided(principal: Principal): UndecidableCode | undefined {
  const { credential, isLocal, isOfAgent } = principal;
  if (credential.kind === "run") return "credential.run";
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
  }
}
