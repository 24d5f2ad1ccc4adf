/**
 * Repository: a folder that people let agents work on, from being added until it is removed.
 *
 *   absent -> added -> removed -> added …
 *
 * Pure: whether there is such a folder was looked up before. An entry that cannot be read removes it:
 * what it said may have been that nobody is to read there any more.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept, refuse, type Outcome } from "../engine/refusal.ts";
import type { TaggedUnion } from "../engine/tagged-union.ts";
import type { Answerer } from "../people/answerer.ts";
import { REPOSITORY_EVENTS } from "./repository-shapes.ts";

/** A command that tells whether work is good. */
export interface RepositoryCheck {
  readonly name: string;
  readonly command: readonly string[];
  readonly required?: boolean;
}

/** How finished work comes back to its repository. */
export type DeliveryWay = "branch" | "patch" | "fast-forward" | "pull-request";

export interface RepositoryDetails {
  /** Absolute. */
  readonly path: string;
  /** The branch that work starts from; left out: what is checked out. */
  readonly base?: string;
  /** Runs once in every new worktree. */
  readonly setup?: readonly string[];
  readonly checks?: readonly RepositoryCheck[];
  readonly deliver?: DeliveryWay;
}

interface RepositoryAddition extends RepositoryDetails {
  readonly repositoryId: string;
  readonly by: Answerer;
}

export type RepositoryCommand = TaggedUnion<{
  add: RepositoryAddition;
  remove: { by: Answerer };
}>;

export type RepositoryEvent = TaggedUnion<{
  "repository.added": RepositoryAddition;
  "repository.removed": { repositoryId: string; by: Answerer };
}>;

export type RepositoryState =
  | { readonly state: "absent" }
  | { readonly state: "added"; readonly repositoryId: string };

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Of the repositories that projects and builds have for themselves. */
const OWN_PREFIX = "own-";

/** The id of the repository that a project or build has for itself. */
export const ownRepositoryId = (workId: string): string => `${OWN_PREFIX}${workId}`;

export const isOwnRepository = (id: string): boolean => id.startsWith(OWN_PREFIX);

/** Why people cannot use an id, if they cannot. */
export function findIdProblem(id: string): string | undefined {
  if (!ID.test(id)) {
    return "an id has 1 to 64 letters, digits, - and _, and begins with a letter or digit";
  }
  // Some disks take large and small letters for the same.
  return id.toLowerCase().startsWith(OWN_PREFIX)
    ? `ids that begin with ${OWN_PREFIX} belong to projects and builds`
    : undefined;
}

function decide(
  repository: RepositoryState,
  command: RepositoryCommand,
): Outcome<readonly RepositoryEvent[]> {
  switch (command.type) {
    case "add": {
      const { type: _type, ...addition } = command;
      const { repositoryId, checks = [] } = addition;
      if (repository.state === "added") return refuse("repository.taken", repositoryId);
      const problem = findIdProblem(repositoryId) ?? findCheckProblem(checks);
      if (problem !== undefined) return refuse("params.invalid", problem);
      return accept([{ type: "repository.added", ...addition }]);
    }
    case "remove": {
      if (repository.state === "absent") return refuse("repository.missing");
      const { repositoryId } = repository;
      return accept([{ type: "repository.removed", repositoryId, by: command.by }]);
    }
  }
}

/** Results are told by the names of checks, so no two have the same. */
export function findCheckProblem(checks: readonly RepositoryCheck[]): string | undefined {
  const names = checks.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined ? undefined : `two checks are called ${twice}`;
}

function evolve(_repository: RepositoryState, event: RepositoryEvent): RepositoryState {
  switch (event.type) {
    case "repository.added":
      return { state: "added", repositoryId: event.repositoryId };
    case "repository.removed":
      return { state: "absent" };
  }
}

export const repository: Aggregate<RepositoryState, RepositoryCommand, RepositoryEvent> = {
  name: "repository",
  initial: { state: "absent" },
  decide,
  evolve,
  ...createCodec<RepositoryEvent>(REPOSITORY_EVENTS),
  distrust: () => ({ state: "absent" }),
};
