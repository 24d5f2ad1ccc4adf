/**
 * Secrets that are recognized by their shape: the server keeps only digests of browser sessions, so it cannot search the
 * text of agents for them, and tokens of controllers are made by Qwen Code, also while the server runs.
 */
export interface SecretShape {
  readonly prefix: string;
  readonly is: (text: string) => boolean;
  /** Finds them anywhere in a text. */
  readonly mask: (text: string, mask: string) => string;
  /** How much of the end of the text may be the beginning of one, in characters. */
  readonly begun: (text: string) => number;
}

/** 32 bytes, in base64url. */
export const SESSION_SECRETS = createShape("atr_", String.raw`[\w-]`, 43);
/** 32 bytes, in hex. */
export const CONTROLLER_TOKENS = createShape("qpc_", "[0-9a-f]", 64);

function createShape(prefix: string, character: string, count: number): SecretShape {
  const alone = new RegExp(`^${prefix}${character}{${count}}$`);
  const anywhere = new RegExp(`${prefix}${character}{${count}}`, "g");
  const beginning = new RegExp(`${prefix}${character}{0,${count - 1}}$`);
  return {
    prefix,
    is: (text) => alone.test(text),
    // Most texts have none, and are not searched twice.
    mask: (text, mask) => (text.includes(prefix) ? text.replaceAll(anywhere, mask) : text),
    begun(text) {
      const end = text.slice(-(prefix.length + count));
      const begun = end.includes(prefix) ? beginning.exec(end) : null;
      if (begun !== null) return begun[0].length;
      for (let length = prefix.length - 1; length > 0; length--) {
        if (end.endsWith(prefix.slice(0, length))) return length;
      }
      return 0;
    },
  };
}
