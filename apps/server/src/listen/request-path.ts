/** Where a request leads: programs put addresses together, and one slash too many means the same path. */
import { getPath } from "hono/utils/url";

const FOR_PROGRAMS = /^\/+(?=(?:api|v1)(?:\/|$))/;

export function normalizePath(request: Request): string {
  const path = getPath(request);
  return FOR_PROGRAMS.test(path) ? path.replace(FOR_PROGRAMS, "/").replace(/\/+$/, "") : path;
}
