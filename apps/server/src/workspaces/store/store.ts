/**
 * A store: a bare repository of ours for each repository that is worked on.
 * `atrium.json` in it says whose. refs.ts has the names of what it keeps.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { checkLater, Type, type Static } from "@atrium/schema";
import { readJson } from "@atrium/wire";
import type { GitKit, GitPlaces } from "../git/git-settings.ts";
import { ObjectReader } from "../git/object-reader.ts";
import { RefWriter } from "../git/ref-writer.ts";
import { Gate } from "./gate.ts";

const StoreRecord = Type.Object({
  path: Type.Union([Type.String(), Type.Null()]),
  base: Type.Union([Type.String(), Type.Null()]),
  kind: Type.Union([Type.Literal("git"), Type.Literal("folder"), Type.Literal("own")]),
});
export type StoreRecord = Static<typeof StoreRecord>;

export interface Store {
  readonly id: string;
  readonly gitDir: string;
  readonly objects: ObjectReader;
  readonly refs: RefWriter;
  readonly gate: Gate;
}

const STORE_ENDING = ".git";
const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/;
const recordCheck = checkLater(StoreRecord);

export const isPlainId = (id: string): boolean => ID.test(id);

export const storeFolder = (places: GitPlaces, id: string): string =>
  join(places.stores, `${id}${STORE_ENDING}`);

/** The id of the repository whose store has this name, if it is one. */
function idOfStore(name: string): string | undefined {
  const id = name.endsWith(STORE_ENDING) ? name.slice(0, -STORE_ENDING.length) : "";
  return isPlainId(id) ? id : undefined;
}

export function createStore({ git, places, timers }: GitKit, id: string): Store {
  const gitDir = storeFolder(places, id);
  const objects = new ObjectReader(git, gitDir, timers);
  return { id, gitDir, objects, refs: new RefWriter(git, gitDir, timers), gate: new Gate() };
}

export async function readStoreRecord(gitDir: string): Promise<Outcome<StoreRecord>> {
  const text = await readFile(recordFile(gitDir), "utf8").catch(() => undefined);
  if (text === undefined) return refuse("repository.missing", "it was not opened yet");
  const { value: record } = readJson(text);
  return recordCheck.Check(record)
    ? accept(record)
    : refuse("repository.unreadable", `${recordFile(gitDir)} cannot be read`);
}

export async function writeStoreRecord(gitDir: string, record: StoreRecord): Promise<void> {
  await writeWhole(recordFile(gitDir), JSON.stringify(record));
}

const recordFile = (gitDir: string): string => join(gitDir, "atrium.json");

/** All of it or nothing, whenever the process ends. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.lock`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, file);
}

/** What is not there has nothing in it. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** The ids of all stores there are. */
export async function readStoreIds(places: GitPlaces): Promise<readonly string[]> {
  return (await namesIn(places.stores)).flatMap((name) => idOfStore(name) ?? []);
}
