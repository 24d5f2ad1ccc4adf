/**
 * A line as a branch of the repository that was attached: a new one, the person's own, or one that is pushed.
 * Or as a folder, which needs no repository.
 */
import { stat } from "node:fs/promises";
import { accept, refuse, type Outcome } from "@atrium/core";
import type { GitKit } from "../git/git-settings.ts";
import type { Git } from "../git/git.ts";
import type { DeliveryRequest, LineDelivery } from "../port/delivery.ts";
import type { LineState } from "../port/landing.ts";
import { readStoreRecord, type Store, type StoreRecord } from "../store/store.ts";
import { deliverFolder } from "./deliver-folder.ts";
import { fastForward } from "./fast-forward.ts";
import { MAIN, openOffer, type LineOffer } from "./offer.ts";
import { checkBranchName, fetchInto, isBehind, readBranches } from "./person-repository.ts";
import { openPullRequest } from "./pull-request.ts";

/** Programs that act for the person, with that person's settings and hooks. */
export interface PersonPrograms {
  readonly git: Git;
  readonly gh: Git;
}

export interface DeliveryTools {
  readonly kit: GitKit;
  readonly person: PersonPrograms;
  readonly store: Store;
  readonly lineId: string;
  readonly line: LineState;
  /** Where folders are delivered to. */
  readonly projects: string;
  /** The person's repository. */
  readonly path: string;
  /** The branch that work started from; null: what is checked out. */
  readonly base: string | null;
}

export const NOTHING_LANDED = "nothing has landed that the repository does not have";
const MAX_NUMBER = 99;

export async function deliver(
  tools: Omit<DeliveryTools, "path" | "base">,
  request: DeliveryRequest,
): Promise<Outcome<LineDelivery>> {
  const { line, kit, store } = tools;
  const { how, name } = request;
  const place = how === "folder" ? undefined : await findPlace(store);
  if (place?.ok === false) return place;
  if (line.commit === line.base) return refuse("delivery.impossible", NOTHING_LANDED);
  await using offer = await openOffer(kit.places, store, line.commit, MAIN);
  const about = { how, commit: line.commit };
  if (place === undefined) {
    const folder = await deliverFolder(tools, offer, name);
    return folder.ok ? accept({ ...about, ref: folder.value, to: folder.value }) : folder;
  }
  const done = await deliverAs({ ...tools, ...place.value }, offer, request);
  return done.ok ? accept({ ...about, ...done.value }) : done;
}

/** The person's repository, and the branch of it that work started from. */
async function findPlace(store: Store): Promise<Outcome<Pick<DeliveryTools, "path" | "base">>> {
  const record = await readStoreRecord(store.gitDir);
  if (!record.ok) return record;
  const path = await repositoryOf(record.value);
  return path.ok ? accept({ path: path.value, base: record.value.base }) : path;
}

async function deliverAs(
  tools: DeliveryTools,
  offer: LineOffer,
  request: DeliveryRequest,
): Promise<Outcome<Pick<LineDelivery, "ref" | "to">>> {
  const { path } = tools;
  if (request.how === "fast-forward") {
    const ref = await fastForward(tools, offer);
    return ref.ok ? accept({ ref: ref.value, to: path }) : ref;
  }
  const ref = await deliverBranch(tools, offer, request.name);
  if (!ref.ok) return ref;
  if (request.how === "branch") return accept({ ref: ref.value, to: path });
  const address = await openPullRequest(tools, ref.value, request);
  return address.ok ? accept({ ref: ref.value, to: address.value }) : address;
}

async function repositoryOf({ kind, path }: StoreRecord): Promise<Outcome<string>> {
  if (path === null || kind !== "git") {
    const what = path === null ? "The project has no repository of yours" : `${path} has no git`;
    return refuse("delivery.impossible", `${what}; take a folder, a patch, a bundle or a zip`);
  }
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isThere ? accept(path) : refuse("repository.missing", `there is no folder ${path}`);
}

/** The name, or the first with a number that is free, has this already, or can grow to it. */
async function deliverBranch(
  { kit: { git }, store, line, path }: DeliveryTools,
  offer: LineOffer,
  name: string,
): Promise<Outcome<string>> {
  const fits = await checkBranchName(git, name);
  if (!fits.ok) return fits;
  const branches = await readBranches(git, path);
  if (!branches.ok) return branches;
  const names = [...branches.value.keys()];
  // To git a branch is a file, and cannot be a folder for ours.
  const isInside = names.some((other) => name.startsWith(`${other}/`));
  const wanted = isInside ? name.replaceAll("/", "-") : name;
  for (let number = 1; number <= MAX_NUMBER; number++) {
    const branch = number === 1 ? wanted : `${wanted}-${number}`;
    const known = branches.value.get(branch);
    if (known?.commit === line.commit) return accept(branch);
    if (known === undefined) {
      if (names.some((other) => other.startsWith(`${branch}/`))) continue;
    } else {
      const grows = await isBehind(git, store, known.commit, line.commit);
      if (!grows.ok) return grows;
      if (!grows.value) continue;
      if (known.folder !== null) {
        const where = `${branch} is checked out in ${known.folder}`;
        return refuse("delivery.unsafe", `${where}; check out another branch there, then retry`);
      }
    }
    const fetched = await fetchInto(git, path, offer, branch);
    return fetched.ok ? accept(branch) : fetched;
  }
  return refuse("delivery.impossible", `${path} has too many branches called ${name}`);
}
