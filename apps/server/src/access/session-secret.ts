/** Secrets of browser sessions. */
import { randomBytes } from "node:crypto";
import { SESSION_SECRETS } from "./secret-shapes.ts";

const SECRET_BYTES = 32;

export function newSessionSecret(): string {
  return `${SESSION_SECRETS.prefix}${randomBytes(SECRET_BYTES).toString("base64url")}`;
}
