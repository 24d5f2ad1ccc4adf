/**
 * How far this node is with taking over changes of settings, in a file of its home. Written after its settings file: a
 * node that is killed in between does a change again, which changes nothing.
 *
 * What cannot be its place in this log is no place: it was made in another history, or cannot be read. Then the node
 * begins with the first change that can still be made, because one change too often is better than one too few.
 */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "@atrium/core";
import { Compile, Type, type Static } from "@atrium/schema";
import { parseJson } from "@atrium/wire";
import { readPresent, replaceFile } from "./whole-file.ts";

export interface LoggedChange {
  readonly changeId: string;
  readonly seq: number;
}

export interface ChangeProgressDeps {
  /** This node's own. */
  readonly home: string;
  /** Is there as long as a node has not begun its first life in a home that was made for it. */
  readonly newHomeFile: string;
  readonly log: { readonly epoch: string; readonly head: number };
  readonly report: (fault: Fault) => void;
}

const Progress = Type.Object({
  epoch: Type.String(),
  seq: Type.Number(),
  changeId: Type.Union([Type.String(), Type.Null()]),
});

type Progress = Static<typeof Progress>;
type Place = Pick<Progress, "seq" | "changeId">;

const check = Compile(Progress);
const PRIVATE = 0o600;

export class ChangeProgress {
  readonly #deps: ChangeProgressDeps;
  readonly #file: string;
  #place: Place = { seq: 0, changeId: null };

  constructor(deps: ChangeProgressDeps) {
    this.#deps = deps;
    this.#file = join(deps.home, "settings-progress.json");
  }

  get seq(): number {
    return this.#place.seq;
  }

  /** Of the last change that this node has taken over. */
  get newest(): string | null {
    return this.#place.changeId;
  }

  /** `all`: what the log has, in order. */
  async open(
    all: readonly LoggedChange[],
    canBeMade: (change: LoggedChange) => boolean,
  ): Promise<void> {
    const { newHomeFile } = this.#deps;
    const kept = await this.#read();
    const isNew = kept === undefined && (await readPresent(newHomeFile)) !== undefined;
    const place = isNew ? (all.at(-1) ?? this.#place) : this.#placeOf(kept, all, canBeMade);
    await this.#save(place);
    await rm(newHomeFile, { force: true });
  }

  async pass(change: LoggedChange): Promise<void> {
    await this.#save(change);
  }

  #placeOf(
    kept: Progress | undefined,
    all: readonly LoggedChange[],
    canBeMade: (change: LoggedChange) => boolean,
  ): Place {
    const { epoch, head } = this.#deps.log;
    if (kept?.epoch === epoch && kept.seq <= head) return kept;
    // A restored log has the changes of the old one, up to some place.
    const known = all.find(({ changeId }) => changeId === kept?.changeId);
    if (known !== undefined) return known;
    const first = all.findIndex(canBeMade);
    return (first === -1 ? all.at(-1) : all[first - 1]) ?? { seq: 0, changeId: null };
  }

  async #read(): Promise<Progress | undefined> {
    const text = await readPresent(this.#file);
    if (text === undefined) return undefined;
    const kept = parseJson(text);
    if (check.Check(kept)) return kept;
    this.#deps.report(new Fault(DAMAGED, { file: this.#file }));
    return { epoch: "", seq: 0, changeId: null };
  }

  async #save({ seq, changeId }: Place): Promise<void> {
    const { epoch } = this.#deps.log;
    await replaceFile(this.#file, JSON.stringify({ epoch, seq, changeId }), PRIVATE);
    this.#place = { seq, changeId };
  }
}

const DAMAGED =
  "how far this node is with changes of settings cannot be read; it takes over all of them again";
