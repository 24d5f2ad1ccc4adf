/** A browser's login without a browser: the cookie it was given, and the half that its page keeps. */
import assert from "node:assert/strict";

export interface BrowserLogin {
  readonly loginId: string;
  /** `name=value`. */
  readonly cookie: string;
  readonly page: string;
  /** Both halves, as a page sends them with a request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Both halves, as a page sends them with a socket. */
  readonly socket: {
    readonly headers: Readonly<Record<string, string>>;
    readonly protocols: readonly string[];
  };
}

export interface LoginOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

export async function signIn(
  { url, token }: { readonly url: string; readonly token: string },
  { headers = {} }: LoginOptions = {},
): Promise<BrowserLogin> {
  const response = await fetch(new URL("/api/login", url), {
    method: "POST",
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  assert.equal(response.status, 200);
  const { page, loginId } = (await response.json()) as { page: string; loginId: string };
  const cookie = cookieOf(response);
  const protocols = ["atrium", `atrium.page.${page}`];
  return {
    loginId,
    cookie,
    page,
    headers: { cookie, "x-atrium-page": page },
    socket: { headers: { cookie }, protocols },
  };
}

export function cookieOf(response: Response): string {
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}
