/**
 * Secrets of browser sessions. The server keeps only their digests, so it cannot search the text of agents for them;
 * it recognizes them by their shape.
 */
import { randomBytes } from "node:crypto";

const PREFIX = "atr_";
const SECRET_BYTES = 32;
/** In base64url. */
const SECRET_CHARACTERS = 43;

export function newSessionSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString("base64url")}`;
}

const SESSION_SECRETS = new RegExp(`${PREFIX}[\\w-]{${SECRET_CHARACTERS}}`, "g");

/** Finds them anywhere in a text. Most texts have none, and are not searched twice. */
export function maskSessionSecrets(text: string, mask: string): string {
  return text.includes(PREFIX) ? text.replaceAll(SESSION_SECRETS, mask) : text;
}

const BEGINNING = new RegExp(`${PREFIX}[\\w-]{0,${SECRET_CHARACTERS - 1}}$`);

/** How much of the end of the text may be the beginning of one, in characters. */
export function sessionSecretBegun(text: string): number {
  const end = text.slice(-(PREFIX.length + SECRET_CHARACTERS));
  const begun = end.includes(PREFIX) ? BEGINNING.exec(end) : null;
  if (begun !== null) return begun[0].length;
  for (let length = PREFIX.length - 1; length > 0; length--) {
    if (end.endsWith(PREFIX.slice(0, length))) return length;
  }
  return 0;
}
