/**
 * Adds and removes repositories at run time.
 *
 *   add -> is it a folder, and none of ours? -> is its id free? -> does git open it? -> the log
 *
 * One after the other, so that no two are looked up as free under one id. Nothing is remembered of a
 * folder that was refused.
 */
import { realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import {
  accept,
  findIdProblem,
  refuse,
  repository,
  type Answerer,
  type Dispatch,
  type Outcome,
  type RepositoryDetails,
} from "@atrium/core";
import type { Key } from "@atrium/log";
import type { RepositorySource } from "../workspaces/port/workspaces.ts";
import type { RepositoryCatalog } from "./repository-catalog.ts";

export interface AddRequest extends RepositoryDetails {
  /** Left out: made of the folder's name. */
  readonly id?: string | undefined;
}

export interface RepositoryCommands {
  /** Resolves with its id. */
  add(request: AddRequest, by: Answerer, once?: Key): Promise<Outcome<string>>;
  remove(id: string, by: Answerer, once?: Key): Promise<Outcome<string>>;
}

export interface RepositoryCommandDeps {
  readonly dispatch: Dispatch;
  readonly catalog: RepositoryCatalog;
  readonly openRepository: (source: RepositorySource) => Promise<Outcome<unknown>>;
  /** The server's own. */
  readonly ownFolders: readonly string[];
}

export function createRepositoryCommands(deps: RepositoryCommandDeps): RepositoryCommands {
  const { dispatch, catalog, openRepository, ownFolders } = deps;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const namesake = (id: string) =>
    catalog.list().find((each) => each.id.toLowerCase() === id.toLowerCase());

  async function add(
    { id: given, ...details }: AddRequest,
    by: Answerer,
    once?: Key,
  ): Promise<Outcome<string>> {
    const path = await findFolder(details.path, ownFolders);
    if (!path.ok) return path;
    const id = given ?? idFrom(path.value, (each) => namesake(each) !== undefined);
    const problem = findIdProblem(id);
    if (problem !== undefined) return refuse("params.invalid", `id: ${problem}`);
    const other = namesake(id);
    if (other !== undefined && (other.id !== id || other.added === null)) {
      return refuse("repository.taken", other.added === null ? `${id}, in the settings` : other.id);
    }
    // Opening it under an id that has one would point that one elsewhere; dispatch refuses it.
    if (other === undefined) {
      const { base } = details;
      const open = await openRepository({ id, path: path.value, base });
      if (!open.ok) return open;
    }
    const addition = { ...details, path: path.value, repositoryId: id, by };
    const done = await dispatch(repository, id, { type: "add", ...addition }, once);
    return done.ok ? accept(done.value.events[0]?.repositoryId ?? id) : done;
  }

  async function remove(id: string, by: Answerer, once?: Key): Promise<Outcome<string>> {
    if (catalog.find(id)?.added === null) return refuse("repository.configured", id);
    const done = await dispatch(repository, id, { type: "remove", by }, once);
    if (done.ok) return accept(id);
    return done.code === "repository.missing" ? refuse("repository.missing", id) : done;
  }

  return {
    add: (...asked) => inTurn(() => add(...asked)),
    remove: (...asked) => inTurn(() => remove(...asked)),
  };
}

/** The folder as it is kept, or why it cannot be added. */
async function findFolder(path: string, ownFolders: readonly string[]): Promise<Outcome<string>> {
  if (/\p{Cc}/u.test(path)) return refuse("params.invalid", "path: it has control characters");
  if (!isAbsolute(path)) {
    return refuse("params.invalid", `path: ${path} is not absolute; begin it with the root`);
  }
  const folder = resolve(path);
  const real = await realpath(folder).catch(() => undefined);
  const found = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || found?.isDirectory() !== true) {
    return refuse("repository.missing", `there is no folder ${folder}`);
  }
  for (const own of ownFolders) {
    if (!isInside(real, await realpath(own))) continue;
    return refuse("repository.forbidden", `${folder} is inside the server's own folder`);
  }
  return accept(folder);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

const MAX_NAME_LENGTH = 50;

function idFrom(path: string, isTaken: (id: string) => boolean): string {
  const plain = basename(path, ".git")
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_]+/g, "-")
    .slice(0, MAX_NAME_LENGTH)
    .replaceAll(/^[-_]+|[-_]+$/g, "");
  const first = findIdProblem(plain) === undefined ? plain : "repository";
  let id = first;
  for (let number = 2; isTaken(id); number += 1) id = `${first}-${number}`;
  return id;
}
