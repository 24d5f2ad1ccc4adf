/** An address as the server prints it, `http://127.0.0.1:18789/#token=…`, turned into what each of its doors is at. */
export interface Address {
  /** The address of a socket; untouched where it is no whole address. */
  readonly socketUrl: string;
  readonly httpUrl: string;
  /** What stood behind the `#`, which is never sent to anyone. */
  readonly token: string | undefined;
}

/** `path` is added to an address that names only the server. */
export function readAddress(text: string, path = "/"): Address {
  if (!URL.canParse(text)) return { socketUrl: text, httpUrl: text, token: undefined };
  const url = new URL(text);
  const token = new URLSearchParams(url.hash.slice(1)).get("token") ?? undefined;
  url.hash = "";
  if (url.pathname === "/") url.pathname = path;
  return {
    socketUrl: url.href.replace(/^http/, "ws"),
    httpUrl: url.href.replace(/^ws/, "http"),
    token,
  };
}
