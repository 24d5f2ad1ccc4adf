/**
 * Secrets of browser sessions. The server keeps only their digests, so it cannot look for them in what agents say; it
 * knows them by their shape.
 */
import { randomBytes } from "node:crypto";

const PREFIX = "atr_";
const SECRET_BYTES = 32;
/** In base64url. */
const SECRET_CHARACTERS = 43;

export function newSessionSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

/** Anywhere in a text, whatever stands around it. */
export const SESSION_SECRETS = new RegExp(`${PREFIX}[\\w-]{${SECRET_CHARACTERS}}`, "g");

const BEGINNING = new RegExp(`(?:a|at|atr|${PREFIX}[\\w-]{0,${SECRET_CHARACTERS - 1}})$`);

/** How much of the end of the text may be the beginning of one, in characters. */
export function sessionSecretBegun(text: string): number {
  const end = text.slice(-(PREFIX.length + SECRET_CHARACTERS));
  return BEGINNING.exec(end)?.[0].length ?? 0;
}
