/**
 * Changes of settings where several nodes serve one log. The log has their order and who made them. What they say is
 * in the folder that all nodes share, because it may hold what must be neither in the log nor on the bus. Each node
 * takes them over into its own file, one after the other, and remembers in its home how far it is
 * (docs/decisions/0057).
 */
import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Compile, Type } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import { ChangeProgress, type LoggedChange, type ChangeProgressDeps } from "./change-progress.ts";
import type { SettingsEdit } from "./plan-change.ts";
import { readPresent, replaceFile } from "./whole-file.ts";

const KeptChange = Type.Object({
  patch: Type.Record(Type.String(), Type.Unknown()),
  unitePaths: Type.Array(Type.String()),
});
interface MissedChange extends LoggedChange {
  /** Undefined: it was made while one node served the log, or the folder has lost it. */
  readonly change: SettingsEdit | undefined;
}

/** How a key gets from the node that was asked to the one that keeps it. */
export interface KeyHandover {
  /** Returns by what it is fetched. */
  readonly put: (key: string) => Promise<string>;
  /** Once. */
  readonly take: (id: string) => Promise<string | undefined>;
  /** Whoever put it there waits no more. */
  readonly drop: (id: string) => Promise<void>;
}

export interface SharedChangesDeps extends ChangeProgressDeps {
  /** In order. */
  readonly loggedAfter: (seq: number) => Promise<readonly LoggedChange[]>;
  /** The folder that all nodes see. */
  readonly shared: string;
  readonly now: () => number;
}

const changeCheck = Compile(KeptChange);
const PRIVATE = 0o600;
const PRIVATE_FOLDER = 0o700;
/** They name files, and no id of ours has anything else. */
const ID = /^[\w-]+$/;
/** Longer than any change is under way. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

export class SharedChanges implements KeyHandover {
  readonly #deps: SharedChangesDeps;
  readonly #folder: string;
  readonly #progress: ChangeProgress;

  constructor(deps: SharedChangesDeps) {
    this.#deps = deps;
    this.#folder = join(deps.shared, "settings");
    this.#progress = new ChangeProgress(deps);
  }

  async open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: PRIVATE_FOLDER });
    const all = await this.#deps.loggedAfter(0);
    await this.#sweep(new Set(all.map(({ changeId }) => changeId)));
    const kept = new Set(await readdir(this.#folder));
    await this.#progress.open(all, ({ changeId }) => kept.has(`${changeId}.json`));
  }

  /** Of the last one that this node has taken over. */
  get newest(): string | null {
    return this.#progress.newest;
  }

  /** Before it is in the log, so that whoever reads of it finds it. */
  async keep(changeId: string, change: SettingsEdit): Promise<void> {
    await this.#write(`${changeId}.json`, JSON.stringify(change));
  }

  async read(changeId: string): Promise<SettingsEdit | undefined> {
    if (!ID.test(changeId)) return undefined;
    const kept = parseJson((await readPresent(join(this.#folder, `${changeId}.json`))) ?? "");
    return changeCheck.Check(kept) ? kept : undefined;
  }

  async missed(): Promise<readonly MissedChange[]> {
    const changes = await this.#deps.loggedAfter(this.#progress.seq);
    return Promise.all(
      changes.map(async (each) => ({ ...each, change: await this.read(each.changeId) })),
    );
  }

  /** This node has it in its file now, or will never have it. */
  pass(change: LoggedChange): Promise<void> {
    return this.#progress.pass(change);
  }

  async put(key: string): Promise<string> {
    const id = randomUUID();
    await this.#write(`${id}.key`, key);
    return id;
  }

  async take(id: string): Promise<string | undefined> {
    if (!ID.test(id)) return undefined;
    const file = join(this.#folder, `${id}.key`);
    const key = await readPresent(file);
    await rm(file, { force: true });
    return key;
  }

  async drop(id: string): Promise<void> {
    if (ID.test(id)) await rm(join(this.#folder, `${id}.key`), { force: true });
  }

  /** What was asked for and never made: it was refused, or its node died. */
  async #sweep(made: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      if (made.has(name.replace(/\.json$/, ""))) continue;
      const file = join(this.#folder, name);
      // Another node may remove it first.
      const written = await stat(file).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      );
      if (written < this.#deps.now() - LEFT_AFTER_MS) await rm(file, { force: true });
    }
  }

  async #write(name: string, text: string): Promise<void> {
    await replaceFile(join(this.#folder, name), text, PRIVATE);
  }
}
