/** Browsers that are signed in or wait for approval; each can be approved, named and signed out. */
import { accept, login, refuse, type Dispatch, type LoginRow, type Logins } from "@atrium/core";
import { loginsApprove, loginsList, loginsRename, loginsRevoke } from "@atrium/wire/gateway";
import type { BrowserLogins } from "../../../access/browser-logins.ts";
import { answererOf } from "../frames/answerers.ts";
import { serve, type GatewayMethod } from "../frames/peer.ts";

export interface LoginsDeps {
  readonly logins: Pick<Logins, "get" | "list">;
  /** Null when no token is needed: then nobody signs in. */
  readonly browserLogins: Pick<BrowserLogins, "isOver" | "seenAt" | "approve" | "reject"> | null;
  readonly dispatch: Dispatch;
}

export function loginsMethods(deps: LoginsDeps): readonly GatewayMethod[] {
  const { logins, browserLogins, dispatch } = deps;
  const isListed = (row: LoginRow): boolean =>
    row.state !== "rejected" && browserLogins?.isOver(row) === false;
  return [
    serve(loginsList, (_params, { caller }) => {
      const { credential } = caller.principal;
      const own = credential.kind === "browser" ? credential.sessionId : undefined;
      const rows = logins.list().filter(isListed);
      return accept({
        logins: rows.map((row) => ({
          id: row.loginId,
          name: row.name,
          userAgent: row.userAgent,
          address: row.address,
          createdAtMs: row.openedAt,
          lastSeenAtMs: browserLogins?.seenAt(row) ?? row.seenAt,
          expiresAtMs: row.expiresAt,
          isCurrent: row.loginId === own,
          isWaiting: row.state === "waiting",
        })),
      });
    }),
    serve(loginsApprove, async ({ id }, { caller }) => {
      if (browserLogins === null) return refuse("login.missing", id);
      const done = await browserLogins.approve(id, answererOf(caller.member));
      return done.ok ? accept({ id }) : done;
    }),
    serve(loginsRename, async ({ id, name }, { key }) => {
      if (logins.get(id) === undefined) return refuse("login.missing", id);
      const done = await dispatch(login, id, { type: "rename", name }, key);
      return done.ok ? accept({ id, name: logins.get(id)?.name ?? name }) : done;
    }),
    serve(loginsRevoke, async ({ id }, { key, caller }) => {
      const row = logins.get(id);
      if (row === undefined || row.state === "rejected") return refuse("login.missing", id);
      const done =
        row.state === "waiting" && browserLogins !== null
          ? await browserLogins.reject(id, answererOf(caller.member))
          : await dispatch(login, id, { type: "end", why: "revoked" }, key);
      return done.ok ? accept({ id }) : done;
    }),
  ];
}
