/**
 * Login: a browser that signed in with the shared token, until it signs out, is put out, or its time is up.
 * One from another machine waits first, until a person lets it in or turns it away.
 *
 * What opens the door is a cookie and a second secret that only the page holds. Neither is kept here: a
 * keyed digest of each is, which is of no use to whoever reads the log.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import { LOGIN_EVENTS } from "./login-shapes.ts";

export interface OpenLogin {
  readonly loginId: string;
  readonly cookieDigest: string;
  readonly pageDigest: string;
  readonly name: string;
  readonly userAgent: string;
  readonly address: string;
  readonly expiresAt: number;
  /** Until a person lets it in; left out: it is in. */
  readonly isWaiting?: boolean;
}

export type LoginEnd = "logout" | "revoked" | "crowded";

export type LoginCommand = TaggedUnion<{
  open: OpenLogin;
  rename: { name: string };
  /** It was here, from there; told now and then, not each time. */
  see: { address: string };
  approve: { by: Answerer; expiresAt: number };
  reject: { by: Answerer };
  end: { why: LoginEnd };
}>;

export type LoginEvent = TaggedUnion<{
  "login.opened": OpenLogin;
  "login.renamed": { loginId: string; name: string };
  "login.seen": { loginId: string; address: string };
  "login.approved": { loginId: string; by: Answerer; expiresAt: number };
  "login.rejected": { loginId: string; by: Answerer };
  "login.ended": { loginId: string; why: LoginEnd };
}>;

export type Login =
  | { readonly state: "absent" }
  | { readonly state: "open" | "waiting" | "rejected"; readonly loginId: string }
  | { readonly state: "ended" };

const MAX_NAME_CHARACTERS = 80;

function decide(login: Login, command: LoginCommand): Outcome<readonly LoginEvent[]> {
  if (command.type === "open") {
    const { type: _type, ...opened } = command;
    return login.state === "absent"
      ? accept([{ type: "login.opened", ...opened }])
      : refuse("internal", "this login was there before");
  }
  if (login.state === "absent") return refuse("login.missing");
  if (login.state === "ended") {
    return command.type === "end" ? accept([]) : refuse("login.missing");
  }
  const { loginId, state } = login;
  switch (command.type) {
    case "approve": {
      const { by, expiresAt } = command;
      if (state !== "waiting") return refuse("login.missing", "it is not waiting for approval");
      return accept([{ type: "login.approved", loginId, by, expiresAt }]);
    }
    case "reject":
      if (state !== "waiting") return refuse("login.missing", "it is not waiting for approval");
      return accept([{ type: "login.rejected", loginId, by: command.by }]);
    case "rename": {
      const name = command.name.trim();
      if (name === "" || name.length > MAX_NAME_CHARACTERS) {
        return refuse("params.invalid", `a name has 1 to ${MAX_NAME_CHARACTERS} characters`);
      }
      return accept([{ type: "login.renamed", loginId, name }]);
    }
    case "see":
      return accept([{ type: "login.seen", loginId, address: command.address }]);
    case "end":
      return accept([{ type: "login.ended", loginId, why: command.why }]);
  }
}

function evolve(login: Login, event: LoginEvent): Login {
  switch (event.type) {
    case "login.opened":
      return { state: event.isWaiting === true ? "waiting" : "open", loginId: event.loginId };
    case "login.approved":
      return { state: "open", loginId: event.loginId };
    case "login.rejected":
      return { state: "rejected", loginId: event.loginId };
    case "login.renamed":
    case "login.seen":
      return login;
    case "login.ended":
      return { state: "ended" };
  }
}

export const login: Aggregate<Login, LoginCommand, LoginEvent> = {
  name: "login",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<LoginEvent>(LOGIN_EVENTS),
  distrust: () => ({ state: "ended" }),
};
