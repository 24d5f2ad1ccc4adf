/** Which browsers are signed in, wait to be let in, or were turned away. One that has ended is forgotten. */
import { idIn, owns } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import { login, type OpenLogin } from "../login/login.ts";

export interface LoginRow extends Omit<OpenLogin, "isWaiting"> {
  readonly state: "in" | "waiting" | "rejected";
  readonly openedAt: number;
  /** When it was last told to be here; it may have been here since. */
  readonly seenAt: number;
}

export interface Logins extends Projection<readonly LoginRow[]> {
  get(loginId: string): LoginRow | undefined;
  /** Oldest first; past their time or not. */
  list(): readonly LoginRow[];
}

export function createLogins(): Logins {
  let open = new Map<string, LoginRow>();
  return {
    name: "logins",
    version: 2,
    get: (loginId) => open.get(loginId),
    list: () => [...open.values()],
    apply(entry) {
      if (!owns(login, entry.stream)) return;
      const event = login.read(entry);
      if (event.type === "login.opened") {
        const { type: _type, isWaiting, ...opened } = event;
        const state = isWaiting === true ? "waiting" : "in";
        open.set(opened.loginId, { ...opened, state, openedAt: entry.at, seenAt: entry.at });
        return;
      }
      const row = open.get(event.loginId);
      if (row === undefined) return;
      switch (event.type) {
        case "login.renamed":
          open.set(row.loginId, { ...row, name: event.name });
          return;
        case "login.seen":
          open.set(row.loginId, { ...row, address: event.address, seenAt: entry.at });
          return;
        case "login.approved":
          open.set(row.loginId, { ...row, state: "in", expiresAt: event.expiresAt });
          return;
        case "login.rejected":
          open.set(row.loginId, { ...row, state: "rejected" });
          return;
        case "login.ended":
          open.delete(row.loginId);
      }
    },
    distrust({ stream }) {
      const loginId = idIn(login, stream);
      if (loginId !== undefined) open.delete(loginId);
    },
    save: () => [...open.values()],
    load(saved) {
      open = new Map(saved.map((row) => [row.loginId, row]));
    },
  };
}
