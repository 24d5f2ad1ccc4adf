/** A line as a file: a patch of what was made, a bundle of its commits, or a zip of its files. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { outcomeOf, refusalOf } from "../git/git-refusal.ts";
import type { GitKit } from "../git/git-settings.ts";
import { textOf } from "../git/git.ts";
import type { ExportedFile, ExportRequest } from "../port/delivery.ts";
import type { LineState } from "../port/landing.ts";
import { readStoreRecord, type Store } from "../store/store.ts";
import { NOTHING_LANDED } from "./deliver.ts";
import { openOffer, type LineOffer } from "./offer.ts";
import { slugOf } from "./slug.ts";

const MEDIA_TYPES = {
  patch: "text/x-patch; charset=utf-8",
  bundle: "application/x-git-bundle",
  zip: "application/zip",
} as const;
const AS_BYTES = ["--binary", "--full-index", "--no-ext-diff", "--no-textconv"];

export async function exportLine(
  kit: GitKit,
  store: Store,
  line: LineState,
  { how, name }: ExportRequest,
): Promise<Outcome<ExportedFile>> {
  const { commit, base } = line;
  if (how !== "zip" && commit === base) {
    return refuse("delivery.impossible", NOTHING_LANDED);
  }
  const slug = slugOf(name);
  const offer = await openOffer(kit.places, store, commit, slug);
  const path = join(offer.folder, `${slug}.${how}`);
  const args = await argsFor(how, { ...kit, store, line, offer, slug, path });
  const made = args.ok ? outcomeOf(await kit.git.run(args.value)) : args;
  if (!made.ok) {
    await offer[Symbol.asyncDispose]();
    return made;
  }
  const { size: bytes } = await stat(path);
  const mediaType = MEDIA_TYPES[how];
  return accept({
    path,
    bytes,
    mediaType,
    commit,
    [Symbol.asyncDispose]: () => offer[Symbol.asyncDispose](),
  });
}

interface ExportPlan extends Pick<GitKit, "git"> {
  readonly store: Store;
  readonly line: LineState;
  readonly offer: LineOffer;
  readonly slug: string;
  readonly path: string;
}

async function argsFor(
  how: ExportRequest["how"],
  { git, store, line: { commit, base }, offer, slug, path }: ExportPlan,
): Promise<Outcome<readonly string[]>> {
  const inOffer = (...args: readonly string[]): Outcome<readonly string[]> =>
    accept(gitIn(offer.gitDir, ...args));
  switch (how) {
    case "zip": {
      const out = [`--prefix=${slug}/`, `--output=${path}`];
      return inOffer("archive", "--format=zip", ...out, commit);
    }
    case "bundle": {
      const record = await readStoreRecord(store.gitDir);
      if (!record.ok) return record;
      // Who has the repository has what the line is built on.
      const known = record.value.kind === "git" ? [`^${base}`] : [];
      return inOffer("bundle", "create", "--quiet", path, "HEAD", offer.ref, ...known);
    }
    case "patch": {
      const out = [...AS_BYTES, `--output=${path}`];
      const range = `${base}..${commit}`;
      const merges = await git.run(gitIn(store.gitDir, "rev-list", "--merges", "--count", range));
      if (!merges.ok) return refusalOf(merges);
      // A merge is no patch: then it is one of all that differs.
      return textOf(merges.stdout) === "0"
        ? inOffer("format-patch", ...out, range)
        : inOffer("diff-tree", "-p", ...out, base, commit);
    }
  }
}
