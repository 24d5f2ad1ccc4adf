/**
 * Coming in: the token of the link is traded once for a cookie that scripts cannot read, and leaves the address
 * before anything else happens, so that it is in no history, bookmark or screenshot.
 */
export type Admission =
  | { readonly type: "in" }
  /** No cookie, and no token in the link. */
  | { readonly type: "no-token" }
  | { readonly type: "wrong-token" }
  | { readonly type: "too-many-tries" }
  | { readonly type: "no-answer" };

export interface LoginDeps {
  readonly fetch: typeof globalThis.fetch;
  readonly location: Pick<Location, "hash" | "href">;
  readonly history: Pick<History, "replaceState">;
}

export async function comeIn({ fetch, location, history }: LoginDeps): Promise<Admission> {
  const token = tokenIn(location.hash);
  if (token === undefined) return askWhetherIn(fetch);
  history.replaceState(null, "", location.href.split("#", 1)[0]);
  return logIn(fetch, token);
}

export function tokenIn(hash: string): string | undefined {
  const token = new URLSearchParams(hash.replace(/^#/, "")).get("token");
  return token === null || token === "" ? undefined : token;
}

export async function logIn(fetch: LoginDeps["fetch"], token: string): Promise<Admission> {
  // A header takes no more than these; anything else is no token of ours.
  if (!/^[\x21-\x7e]+$/.test(token)) return { type: "wrong-token" };
  try {
    const headers = { authorization: `Bearer ${token}` };
    const { status, ok } = await fetch("/api/login", { method: "POST", headers });
    if (ok) return { type: "in" };
    if (status === 429) return { type: "too-many-tries" };
    return { type: status === 401 ? "wrong-token" : "no-answer" };
  } catch {
    return { type: "no-answer" };
  }
}

async function askWhetherIn(fetch: LoginDeps["fetch"]): Promise<Admission> {
  try {
    const answer: unknown = await (await fetch("/api/login")).json();
    const isIn =
      typeof answer === "object" && answer !== null && "isIn" in answer && answer.isIn === true;
    return { type: isIn ? "in" : "no-token" };
  } catch {
    return { type: "no-answer" };
  }
}
