/**
 * The page's half of a login. The cookie goes to every port of this host; what is kept in an origin's storage does
 * not, so whoever catches the cookie has nothing to open the door with.
 */
const KEY = "atrium.login";
const HEADER = "x-atrium-page";
const PROTOCOL = "atrium";

export interface PageSecret {
  read(): string | undefined;
  /** Null forgets it. */
  keep(secret: string | null): void;
}

export function createPageSecret(
  storage: () => Pick<Storage, "getItem" | "setItem" | "removeItem">,
): PageSecret {
  return {
    read: () => storage().getItem(KEY) ?? undefined,
    keep(secret) {
      if (secret === null) storage().removeItem(KEY);
      else storage().setItem(KEY, secret);
    },
  };
}

/** Asks our own server with it. */
export function fetchWith(
  secret: Pick<PageSecret, "read">,
  fetch: typeof globalThis.fetch,
): typeof globalThis.fetch {
  return (input, init) => {
    const page = secret.read();
    if (page === undefined) return fetch(input, init);
    const headers = new Headers(init?.headers);
    headers.set(HEADER, page);
    return fetch(input, { ...init, headers });
  };
}

/** A socket that brings it along: a page can add no header to one, but names of protocols. */
export function socketWith(
  secret: Pick<PageSecret, "read">,
  Socket: typeof globalThis.WebSocket,
): new (url: string) => WebSocket {
  return class extends Socket {
    constructor(url: string) {
      const page = secret.read();
      super(url, page === undefined ? [] : [PROTOCOL, `${PROTOCOL}.page.${page}`]);
    }
  };
}
