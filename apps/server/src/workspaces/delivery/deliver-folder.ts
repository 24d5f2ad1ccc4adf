/**
 * A line as a folder of its own, for who has no repository: a clone with `main` checked out that shares
 * nothing with the store. It is made beside and moved into place, so one that is there is whole. Delivered
 * again, it moves on where a person's checkout would; else there is another, with a number.
 */
import { lstat, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { accept, refuse, type Outcome } from "@atrium/core";
import { gitIn } from "../git/commits.ts";
import { refusalOf } from "../git/git-refusal.ts";
import { textOf } from "../git/git.ts";
import { checkCase } from "../worktrees/case-clash.ts";
import type { DeliveryTools } from "./deliver.ts";
import { fastForward } from "./fast-forward.ts";
import { MAIN, type LineOffer } from "./offer.ts";
import { slugOf } from "./slug.ts";

type FolderTools = Omit<DeliveryTools, "path" | "base">;

const MARK = "atrium.line";
const MAX_NUMBER = 99;

export async function deliverFolder(
  tools: FolderTools,
  offer: LineOffer,
  name: string,
): Promise<Outcome<string>> {
  const { projects } = tools;
  const slug = slugOf(name.split("/").at(-1) ?? "");
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const folder = join(projects, number === 1 ? slug : `${slug}-${number}`);
    const isTaken = await lstat(folder).then(
      () => true,
      () => false,
    );
    if (!isTaken) return makeFolder(tools, offer, folder);
    if (!(await isOfLine(tools, folder))) continue;
    const moved = await fastForward({ ...tools, path: folder, base: MAIN }, offer);
    if (moved.ok) return accept(folder);
    if (moved.code !== "delivery.unsafe") return moved;
  }
  return refuse("delivery.impossible", `${projects} has too many folders called ${slug}`);
}

const markOf = ({ store, lineId }: FolderTools): string => `${store.id}/${lineId}`;

async function isOfLine(tools: FolderTools, folder: string): Promise<boolean> {
  const found = await tools.kit.git.run(gitIn(join(folder, ".git"), "config", "--get", MARK));
  return found.ok && textOf(found.stdout) === markOf(tools);
}

async function makeFolder(
  tools: FolderTools,
  offer: LineOffer,
  folder: string,
): Promise<Outcome<string>> {
  const { kit, store, line, projects } = tools;
  const fits = await checkCase(kit, store.gitDir, line.tree);
  if (!fits.ok) return fits;
  const draft = join(offer.folder, "clone");
  const gitDir = join(draft, ".git");
  const how = ["--quiet", "--no-local", "--no-tags", "--template=", "--no-recurse-submodules"];
  const steps = [
    ["clone", ...how, "--", offer.gitDir, draft],
    gitIn(gitDir, "remote", "remove", "origin"),
    gitIn(gitDir, "config", MARK, markOf(tools)),
  ];
  for (const step of steps) {
    const done = await kit.git.run(step);
    if (!done.ok) return refusalOf(done);
  }
  await mkdir(projects, { recursive: true, mode: 0o700 });
  await rename(draft, folder);
  return accept(folder);
}
