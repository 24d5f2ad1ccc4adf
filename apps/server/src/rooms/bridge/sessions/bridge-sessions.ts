/**
 * Which conversations are served by a Claude Code, and with which token.
 *
 * This is what the rest of the server uses: open a session, start Claude Code with its `env`, deliver.
 * A token is worth something while its session is open; it is in no log and no journal.
 */
import { Fault } from "@atrium/core";
import { isSameSecret } from "../../../access/secrets.ts";
import { BridgeSession, type BridgeBinding, type SessionRules } from "./bridge-session.ts";

export interface BridgeSessionsDeps extends SessionRules {
  readonly url: () => string;
  readonly newToken: () => string;
  /** For a session that is not open and a program that someone else has started: what it is to be opened for. */
  readonly bindByHand?: (conversationKey: string, token: string) => BridgeBinding | undefined;
}

export interface BridgeSessions {
  /** A conversation has one session at a time. */
  open(binding: BridgeBinding): BridgeSession;
  find(conversationKey: string, token: string): BridgeSession | "unknown" | "wrong-token";
  /** The tokens of those that are open: nobody may say them. */
  secrets(): readonly string[];
}

interface Opened {
  readonly session: BridgeSession;
  readonly token: string;
}

export function createBridgeSessions(deps: BridgeSessionsDeps): BridgeSessions {
  const opened = new Map<string, Opened>();
  const sessions: BridgeSessions = {
    secrets: () => [...opened.values()].map(({ token }) => token),
    open(binding) {
      const { conversationKey, claudeSession, token = deps.newToken() } = binding;
      if (opened.has(conversationKey)) {
        throw new Fault("a conversation has one bridge session at a time", { conversationKey });
      }
      const env = {
        SYNTHESIS_BRIDGE_URL: deps.url(),
        SYNTHESIS_BRIDGE_TOKEN: token,
        SYNTHESIS_OPENCLAW_SESSION: conversationKey,
        SYNTHESIS_CLAUDE_SESSION: claudeSession,
      };
      const forget = (): void => void opened.delete(conversationKey);
      const session = new BridgeSession(binding, env, deps, forget);
      opened.set(conversationKey, { session, token });
      return session;
    },
    find(conversationKey, token) {
      const found = opened.get(conversationKey);
      // Compared in any case, so that time does not tell which sessions are open.
      const isSame = isSameSecret(token, found?.token ?? "");
      if (found === undefined) {
        const binding = deps.bindByHand?.(conversationKey, token);
        return binding === undefined ? "unknown" : sessions.open(binding);
      }
      return isSame && found.token !== "" ? found.session : "wrong-token";
    },
  };
  return sessions;
}
