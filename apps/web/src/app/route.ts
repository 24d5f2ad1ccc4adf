/** Where one is: a page by its path, and what is open on it by `?show=`. Pure. */
export const PAGE_PATHS = {
  office: "/",
  builds: "/builds",
  chat: "/chat",
  signals: "/signals",
  settings: "/settings",
} as const;

export type PageName = keyof typeof PAGE_PATHS;

export interface Route {
  /** Undefined: there is no such page. */
  readonly page: PageName | undefined;
  /** What comes after the page's own path: `/builds/b1` has `b1`. */
  readonly rest: string;
  readonly show: string | undefined;
}

export function readRoute({ pathname, search }: { pathname: string; search: string }): Route {
  const [, first = "", ...others] = pathname.split("/");
  const page = PAGE_NAMES.find((name) => PAGE_PATHS[name] === `/${first}`);
  const show = new URLSearchParams(search).get("show") ?? undefined;
  return { page, rest: decode(others.join("/")), show };
}

export function pathOf(page: PageName, show?: string): string {
  const path = PAGE_PATHS[page];
  return show === undefined ? path : `${path}?show=${encodeURIComponent(show)}`;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
export const PAGE_NAMES = Object.keys(PAGE_PATHS) as readonly PageName[];

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
