/**
 * Coming in: the token of the link is traded once for a login (a cookie that scripts cannot read, and a secret that
 * this page keeps), and leaves the address before anything else happens, so that it is in no history, bookmark or
 * screenshot.
 */
import { fieldOf } from "./fetch-json.ts";
import type { PageSecret } from "./page-secret.ts";

export type Admission =
  | { readonly type: "in" }
  /** No cookie, and no token in the link. */
  | { readonly type: "no-token" }
  /** There was a login, of an earlier version or one that is over. */
  | { readonly type: "outdated" }
  /** From another machine, until a person lets it in. */
  | { readonly type: "waiting"; readonly loginId: string }
  | { readonly type: "rejected" }
  /** Too many wait from there. */
  | { readonly type: "crowded" }
  | { readonly type: "wrong-token" }
  | { readonly type: "too-many-tries" }
  | { readonly type: "no-answer" };

export interface LoginDeps {
  readonly fetch: typeof globalThis.fetch;
  readonly secret: Pick<PageSecret, "keep">;
  readonly location: Pick<Location, "hash" | "href">;
  readonly history: Pick<History, "replaceState">;
}

export async function signIn(deps: LoginDeps): Promise<Admission> {
  const { fetch, location, history } = deps;
  const token = tokenIn(location.hash);
  if (token === undefined) return askWhetherIn(fetch);
  history.replaceState(null, "", location.href.split("#", 1)[0]);
  return logIn(deps, token);
}

export function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? undefined : token;
}

export async function logIn(
  { fetch, secret }: Pick<LoginDeps, "fetch" | "secret">,
  token: string,
): Promise<Admission> {
  // A header takes no more than these; anything else is no token of ours.
  if (!/^[\x21-\x7e]+$/.test(token)) return { type: "wrong-token" };
  try {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch("/api/login", { method: "POST", headers });
    const { status, ok } = response;
    if (ok) {
      const answer: unknown = await response.json();
      const page = fieldOf(answer, "page");
      secret.keep(typeof page === "string" ? page : null);
      return waitingIn(answer) ?? { type: "in" };
    }
    if (status === 429) {
      const code = fieldOf(fieldOf(await response.json(), "error"), "code");
      return { type: code === "login.crowded" ? "crowded" : "too-many-tries" };
    }
    return { type: status === 401 ? "wrong-token" : "no-answer" };
  } catch {
    return { type: "no-answer" };
  }
}

export async function askWhetherIn(fetch: LoginDeps["fetch"]): Promise<Admission> {
  try {
    const answer: unknown = await (await fetch("/api/login")).json();
    if (fieldOf(answer, "isIn") === true) return { type: "in" };
    if (fieldOf(answer, "isRejected") === true) return { type: "rejected" };
    const waiting = waitingIn(answer);
    if (waiting !== undefined) return waiting;
    return { type: fieldOf(answer, "isOutdated") === true ? "outdated" : "no-token" };
  } catch {
    return { type: "no-answer" };
  }
}

function waitingIn(answer: unknown): Admission | undefined {
  const loginId = fieldOf(answer, "loginId");
  const isWaiting = fieldOf(answer, "isWaiting") === true;
  return isWaiting && typeof loginId === "string" ? { type: "waiting", loginId } : undefined;
}
