/** A project's line on the bench, and changes that are made for it. */
import assert from "node:assert/strict";
import type { Conflict, Landed, SealedChange } from "../port/landing.ts";
import type { Worktree } from "../port/workspaces.ts";
import { AT, openBenchTop, value, type BenchTop, type OpenTested } from "./bench-top.ts";

export const AUTHOR = { name: "Eng 1", email: "eng_1@agents.invalid" };
const LINES = Array.from({ length: 20 }, (_, index) => `line ${index}`);
export const TEXT = `${LINES.join("\n")}\n`;
const FILES = {
  ".gitignore": "*.log\n",
  "a.txt": TEXT,
  "b.txt": "b\n",
  "bin.dat": "\0base\0",
  "run.sh": "#!/bin/sh\n",
};
export const edited = (index: number, text: string): string =>
  `${LINES.with(index, text).join("\n")}\n`;

export interface Track extends BenchTop {
  readonly store: string;
}

/** A line, and changes that were made from the same start. */
export async function openTrack(open: OpenTested): Promise<Track> {
  const top = await openBenchTop(open, FILES);
  const { store } = value(await top.spaces.openRepository({ id: "shop", path: top.repository }));
  value(await top.spaces.openLine("shop", "prj"));
  return { ...top, store };
}

export const start = async ({ spaces }: BenchTop, workspaceId: string): Promise<Worktree> =>
  value(await spaces.openWorktree({ repositoryId: "shop", workspaceId, lineId: "prj", at: AT }));

export const seal = async ({ spaces }: BenchTop, workspaceId: string): Promise<SealedChange> =>
  value(await spaces.seal(workspaceId, { message: workspaceId, author: AUTHOR, at: AT }));

async function land(
  { spaces }: BenchTop,
  landingId: string,
  { commit: change }: SealedChange,
): Promise<Landed | Conflict> {
  const request = { change, landingId, message: `Land ${landingId}`, at: AT + 1_000 };
  return value(await spaces.land("shop", "prj", request));
}

export async function landed(
  top: BenchTop,
  landingId: string,
  change: SealedChange,
): Promise<Landed> {
  const result = await land(top, landingId, change);
  assert.ok(result.type === "landed", JSON.stringify(result));
  return result;
}

export async function conflicted(
  top: BenchTop,
  landingId: string,
  change: SealedChange,
): Promise<Conflict> {
  const result = await land(top, landingId, change);
  assert.ok(result.type === "conflict", "it landed");
  return result;
}

export type Work = (folder: string) => void;

/** Two changes from the same start; the first has landed. */
export async function makeBoth(top: BenchTop, first: Work, second: Work): Promise<SealedChange> {
  const [one, two] = [await start(top, "one"), await start(top, "two")];
  first(one.folder);
  second(two.folder);
  await landed(top, "first", await seal(top, "one"));
  return seal(top, "two");
}
