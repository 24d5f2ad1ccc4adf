/** Which browsers are signed in; each can be named and put out. */
import { accept, login, refuse, type Dispatch, type LoginRow, type Logins } from "@atrium/core";
import { loginsList, loginsRename, loginsRevoke } from "@atrium/wire/gateway";
import type { BrowserLogins } from "../../../access/browser-logins.ts";
import { on, type Method } from "../../room.ts";
import type { GatewayCaller } from "../session.ts";

export interface LoginsDeps {
  readonly logins: Pick<Logins, "get" | "list">;
  /** Null where nothing is asked for: then nobody signs in. */
  readonly browserLogins: Pick<BrowserLogins, "isOpen" | "seenAt"> | null;
  readonly dispatch: Dispatch;
}

export function loginsMethods(deps: LoginsDeps): readonly Method<GatewayCaller>[] {
  const { logins, browserLogins, dispatch } = deps;
  const isOpen = ({ loginId }: LoginRow): boolean => browserLogins?.isOpen(loginId) === true;
  return [
    on<typeof loginsList, GatewayCaller>(loginsList, (_params, { caller }) => {
      const { credential } = caller.principal;
      const own = credential.kind === "browser" ? credential.sessionId : undefined;
      const rows = logins.list().filter(isOpen);
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
        })),
      });
    }),
    on<typeof loginsRename, GatewayCaller>(loginsRename, async ({ id, name }, { key }) => {
      if (logins.get(id) === undefined) return refuse("login.missing", id);
      const done = await dispatch(login, id, { type: "rename", name }, key);
      return done.ok ? accept({ id, name: logins.get(id)?.name ?? name }) : done;
    }),
    on<typeof loginsRevoke, GatewayCaller>(loginsRevoke, async ({ id }, { key }) => {
      if (logins.get(id) === undefined) return refuse("login.missing", id);
      const done = await dispatch(login, id, { type: "end", why: "revoked" }, key);
      return done.ok ? accept({ id }) : done;
    }),
  ];
}
