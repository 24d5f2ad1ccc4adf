/**
 * Masks keys in texts. Every word that an agent says comes by here, so what cannot hold a key is neither walked nor copied.
 */
import { CONTROLLER_TOKENS, SESSION_SECRETS } from "../../access/secret-shapes.ts";

export const MASK = "[key]";
/** Servers without keys are given words like "ollama"; those may be said. */
const MIN_SECRET_CHARS = 16;

export function redact(text: string, secret: string | undefined): string {
  return isSecret(secret) ? text.replaceAll(secret, MASK) : text;
}

export function isSecret(text: string | undefined): text is string {
  return text !== undefined && text.length >= MIN_SECRET_CHARS;
}

export function knownSecrets(secrets: Iterable<string>): readonly string[] {
  const known: string[] = [];
  for (const secret of secrets) if (isSecret(secret)) known.push(secret);
  return known;
}

export function maskText(text: string, known: readonly string[]): string {
  // No secret is shorter.
  if (text.length < MIN_SECRET_CHARS) return text;
  let masked = text;
  for (const secret of known) masked = masked.replaceAll(secret, MASK);
  return CONTROLLER_TOKENS.mask(SESSION_SECRETS.mask(masked, MASK), MASK);
}

/** The same value, with every text in it masked, names too; the very same where there is nothing to mask. */
export function maskDeep(value: unknown, known: readonly string[]): unknown {
  if (typeof value === "string") return maskText(value, known);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? maskList(value, known) : maskMembers(value, known);
}

function maskList(list: readonly unknown[], known: readonly string[]): readonly unknown[] {
  let masked: unknown[] | undefined;
  for (const [at, part] of list.entries()) {
    const safe = maskDeep(part, known);
    if (safe !== part) (masked ??= [...list])[at] = safe;
  }
  return masked ?? list;
}

function maskMembers(whole: object, known: readonly string[]): unknown {
  // What is more than its members may show more than they do.
  const isPlain = Object.getPrototypeOf(whole) === Object.prototype;
  const members: [string, unknown][] = Object.entries(whole);
  let isSame = isPlain;
  for (const member of members) {
    const [name, part] = member;
    member[0] = maskText(name, known);
    member[1] = maskDeep(part, known);
    isSame &&= member[0] === name && member[1] === part;
  }
  return isSame ? whole : Object.fromEntries(members);
}

/** The same bytes, masked, whatever they are; of what goes on, the beginning of a secret is cut off the end. */
export function maskBytes(bytes: Buffer, known: readonly string[], goesOn: boolean): Buffer {
  // A character for each byte: nothing is lost, and secrets are found as they are written.
  const text = bytes.toString("latin1");
  const written = known.map((secret) => Buffer.from(secret).toString("latin1"));
  const masked = maskText(text, written);
  const end = goesOn ? masked.length - secretBegun(masked, written) : masked.length;
  const isSame = masked === text && end === text.length;
  return isSame ? bytes : Buffer.from(masked.slice(0, end), "latin1");
}

/** How much of the end of the text may be the beginning of a secret, in characters. */
export function secretBegun(text: string, known: readonly string[]): number {
  let longest = Math.max(SESSION_SECRETS.begun(text), CONTROLLER_TOKENS.begun(text));
  for (const secret of known) {
    const first = secret.charAt(0);
    let at = text.indexOf(first, Math.max(0, text.length - secret.length + 1));
    while (at !== -1 && text.length - at > longest) {
      if (secret.startsWith(text.slice(at))) longest = text.length - at;
      else at = text.indexOf(first, at + 1);
    }
  }
  return longest;
}
