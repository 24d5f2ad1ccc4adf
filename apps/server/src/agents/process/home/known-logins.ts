/** The secrets of the logins that confined programs have, so that no agent says them. */
import type { CopiedText } from "./copied-files.ts";
import { secretsInFile } from "./file-secrets.ts";

/** Of each file: what is replaced is still good for a while, and a program that runs has it. */
const MAX_READINGS = 4;

export interface KnownLogins {
  learn(texts: readonly CopiedText[]): void;
}

/** `inUse`: what is masked. Other things are in it, too. */
export function createKnownLogins(inUse: Set<string> = new Set()): KnownLogins {
  const readings = new Map<string, readonly (readonly string[])[]>();
  return {
    learn(texts) {
      for (const { from, text } of texts) {
        const secrets = secretsInFile(text);
        const [newest, ...older] = readings.get(from) ?? [];
        if (newest !== undefined && newest.join("\n") === secrets.join("\n")) continue;
        const all = [secrets, ...(newest === undefined ? [] : [newest]), ...older];
        for (const secret of all.slice(MAX_READINGS).flat()) inUse.delete(secret);
        readings.set(from, all.slice(0, MAX_READINGS));
        for (const secret of all.slice(0, MAX_READINGS).flat()) inUse.add(secret);
      }
    },
  };
}
