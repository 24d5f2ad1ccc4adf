/**
 * Keys of models and programs that people keep with the server, by the name of the environment variable in
 * whose place they stand: in one file of the home, or of the folder that all nodes see, that only its owner reads. They are handed to the
 * runtimes that name them and to nobody else; no one is ever shown one.
 */
import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault, refuse, accept, type Outcome } from "@atrium/core";

export interface KeptKeys {
  get(name: string): string | undefined;
  names(): readonly string[];
  values(): readonly string[];
  set(name: string, value: string): void;
  remove(name: string): void;
  /** Another node may have written them. */
  reload(): void;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
/** Other variables steer programs: `LD_PRELOAD`, `NODE_OPTIONS`. */
const SECRET = /key|token|secret|password|credential/i;
const MAX_KEY_CHARACTERS = 16_384;

/** What a key may be called, and what it may be. Never says the value. */
export function checkKey(name: string, value: string): Outcome<void> {
  const named = checkKeyName(name);
  if (!named.ok) return named;
  if (value.length === 0 || value.length > MAX_KEY_CHARACTERS || /[\p{Cc}\s]/u.test(value)) {
    return refuse(
      "params.invalid",
      `value: a key has 1 to ${MAX_KEY_CHARACTERS} characters and no spaces or line breaks`,
    );
  }
  return accept(undefined);
}

export function checkKeyName(name: string): Outcome<void> {
  if (NAME.test(name) && SECRET.test(name)) return accept(undefined);
  return refuse(
    "params.invalid",
    "name: a key is named like an environment variable that has KEY, TOKEN, SECRET, PASSWORD or CREDENTIAL in its name, such as OPENAI_API_KEY",
  );
}

export function openKeptKeys(file: string): KeptKeys {
  let keys = readKeys(file);
  const replace = (next: ReadonlyMap<string, string>): void => {
    writeKeys(file, next);
    keys = next;
  };
  return {
    get: (name) => keys.get(name),
    names: () => [...keys.keys()],
    values: () => [...keys.values()],
    // Another node may have written them since they were read last.
    set: (name, value) => replace(new Map(readKeys(file)).set(name, value)),
    remove(name) {
      const next = new Map(readKeys(file));
      if (next.delete(name)) replace(next);
      else keys = next;
    },
    reload: () => void (keys = readKeys(file)),
  };
}

function readKeys(file: string): ReadonlyMap<string, string> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return new Map();
    throw cause;
  }
  try {
    const kept: unknown = JSON.parse(text);
    const entries = typeof kept === "object" && kept !== null ? Object.entries(kept) : [];
    return new Map(
      entries.flatMap(([name, value]: [string, unknown]) =>
        typeof value === "string" ? [[name, value] as const] : [],
      ),
    );
  } catch {
    // The parser's message quotes what it could not read, which may be a key.
    throw new Fault("the file of kept keys is not JSON; correct or remove it", { file });
  }
}

function writeKeys(file: string, keys: ReadonlyMap<string, string>): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = openSync(draft, "wx", 0o600);
    try {
      writeSync(handle, `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, file);
    syncFolder(dirname(file));
  } finally {
    rmSync(draft, { force: true });
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
