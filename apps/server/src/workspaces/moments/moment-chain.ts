/**
 * The moments of one worktree, one after the other: snapshot, commit on the last one, ref. Objects first,
 * then the ref, and only then does anyone hear of it, so what is told is always there. Whoever uses it
 * waits for one thing before the next.
 */
import { rm, stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import { draftCommit, readCommit } from "../git/commits.ts";
import { outcomeOf, refusalOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { splitNul } from "../git/git.ts";
import { writeObjects } from "../git/loose-object.ts";
import type { MomentRequest, RepositoryBase, Restoration, TreeMoment } from "../port/workspaces.ts";
import { fromText } from "../snapshot/omissions.ts";
import {
  changeIndex,
  runInPlace,
  takeSnapshot,
  type FolderSnapshot,
} from "../snapshot/snapshot.ts";
import { momentsRef } from "../store/refs.ts";
import type { Store } from "../store/store.ts";
import type { WorktreePlace } from "../worktrees/worktree-record.ts";

type MomentLabel = Pick<MomentRequest, "label" | "at">;

const ADDED_LINK = /^:\d+ 160000 /;
const SUBMODULE_LINE = /^. 160000 /;

export class MomentChain {
  readonly #kit: GitKit;
  readonly #store: Store;
  readonly #place: WorktreePlace;
  /** Undefined until it is known what an earlier life left. */
  #newest: RepositoryBase | undefined;
  /** The tree of what is in the index, where that is known. */
  #entered: string | undefined;
  #hasSubmodules = true;

  constructor(kit: GitKit, store: Store, place: WorktreePlace) {
    this.#kit = kit;
    this.#store = store;
    this.#place = place;
  }

  /** `isWhole`: the index has to have all of it afterwards. */
  async record(request: MomentRequest, isWhole = false): Promise<Outcome<TreeMoment>> {
    const newest = await this.#adopt();
    if (!newest.ok) return newest;
    const tools = { git: this.#kit.git, objects: this.#store.objects };
    const { tree } = newest.value;
    const known = { newest: tree, entered: this.#entered, hasSubmodules: this.#hasSubmodules };
    const start = isWhole ? undefined : known;
    const taken = await takeSnapshot(tools, this.#place, start, request.paths);
    if (!taken.ok) {
      this.#entered = undefined;
      return taken;
    }
    if (taken.value.isEntered) this.#entered = taken.value.tree;
    return this.#append(newest.value, taken.value, request);
  }

  async #append(
    newest: RepositoryBase,
    { tree, omitted, drafts }: Pick<FolderSnapshot, "tree" | "omitted" | "drafts">,
    { label, at }: MomentLabel,
  ): Promise<Outcome<TreeMoment>> {
    if (tree === newest.tree) return accept({ ...newest, isNew: false, omitted });
    const { gitDir, refs } = this.#store;
    const parents = [newest.commit];
    const draft = draftCommit({ tree, parents, message: label, at });
    await writeObjects(gitDir, [...drafts, draft]);
    const commit = draft.id;
    const moved = await refs.move(momentsRef(this.#place.workspaceId), commit, newest.commit);
    if (!moved.ok) {
      this.#newest = undefined;
      return moved;
    }
    this.#newest = { commit, tree };
    return accept({ ...this.#newest, isNew: true, omitted });
  }

  async restore(tree: string, label: MomentLabel): Promise<Outcome<Restoration>> {
    const found = await this.#store.objects.header(tree);
    if (!found.ok) return found;
    if (found.value.type !== "tree") return refuse("moment.missing", tree);
    // What git does not know of, it would not take away.
    const before = await this.record({ ...label, label: `Before: ${label.label}` }, true);
    if (!before.ok) return before;
    const { omitted } = before.value;
    const kept = omitted.filter(({ why }) => why !== "nested").map(({ path }) => fromText(path));
    this.#entered = undefined;
    const put = await this.#putBack(tree, kept);
    if (!put.ok) return put;
    this.#entered = tree;
    // It may be a tree of another start.
    this.#hasSubmodules = true;
    const { commit, tree: last } = before.value;
    const restored = { tree, omitted, drafts: [] };
    const after = await this.#append({ commit, tree: last }, restored, label);
    return after.ok ? accept({ before: before.value, after: after.value }) : after;
  }

  /** What is in no moment could not be brought back: where git knows such a file, it is told to look away. */
  async #putBack(tree: string, kept: readonly string[]): Promise<Outcome<unknown>> {
    const { git } = this.#kit;
    const known = await this.#tracked(kept);
    if (!known.ok) return known;
    const away = await changeIndex(git, this.#place, ["--skip-worktree"], known.value);
    if (!away.ok) return away;
    const args = ["read-tree", "--reset", "-u", tree];
    const put = await runInPlace(git, this.#place, args, { isConfined: true });
    const { value } = known;
    const back = await changeIndex(git, this.#place, ["--no-skip-worktree"], value);
    return put.ok ? back : refusalOf(put);
  }

  async #tracked(paths: readonly string[]): Promise<Outcome<readonly string[]>> {
    if (paths.length === 0) return accept([]);
    const listed = await runInPlace(this.#kit.git, this.#place, ["ls-files", "-z"]);
    if (!listed.ok) return refusalOf(listed);
    const known = new Set(splitNul(listed.stdout, "latin1"));
    return accept(paths.filter((path) => known.has(path)));
  }

  /** Once in a life: where the chain ends, and an index that fits it. */
  async #adopt(): Promise<Outcome<RepositoryBase>> {
    const isThere = await stat(this.#place.folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) return refuse("workspace.missing", `there is no folder ${this.#place.folder}`);
    if (this.#newest !== undefined) return accept(this.#newest);
    const { git } = this.#kit;
    const ref = momentsRef(this.#place.workspaceId);
    const newest = await readCommit(git, this.#store.gitDir, ref);
    if (!newest.ok) return newest;
    const fits = await this.#mendIndex(newest.value.tree);
    if (!fits.ok) return fits;
    this.#newest = newest.value;
    return newest;
  }

  /** An earlier life may have been cut off while a link to a nested repository was in it. */
  async #mendIndex(tree: string): Promise<Outcome<unknown>> {
    const { git } = this.#kit;
    const args = ["diff-index", "--cached", "-z", "--raw", "--no-renames", tree];
    const compared = await runInPlace(git, this.#place, args);
    if (!compared.ok) {
      await rm(this.#place.index, { force: true });
      return outcomeOf(await runInPlace(git, this.#place, ["read-tree", "--reset", tree]));
    }
    const fields = splitNul(compared.stdout, "latin1");
    const links = fields.filter((_, at) => at % 2 === 1 && ADDED_LINK.test(fields[at - 1] ?? ""));
    const left = await changeIndex(git, this.#place, ["--force-remove"], links);
    return left.ok ? this.#lookAgain() : left;
  }

  /** Where one was cut off while it put files back, git still looks away from some. */
  async #lookAgain(): Promise<Outcome<unknown>> {
    const { git } = this.#kit;
    const listed = await runInPlace(git, this.#place, ["ls-files", "-z", "-t", "--stage"]);
    if (!listed.ok) return refusalOf(listed);
    const lines = splitNul(listed.stdout, "latin1");
    this.#hasSubmodules = lines.some((line) => SUBMODULE_LINE.test(line));
    const skipped = lines.filter((line) => line.startsWith("S "));
    const paths = skipped.map((line) => line.slice(line.indexOf("\t") + 1));
    return changeIndex(git, this.#place, ["--no-skip-worktree"], paths);
  }
}
