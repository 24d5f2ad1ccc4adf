import assert from "node:assert/strict";
import { test } from "node:test";
import { accept, refuse } from "../engine/refusal.ts";
import type { Answerer } from "../people/answerer.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { createRepositories } from "./repositories.ts";
import { repository, type RepositoryCommand, type RepositoryEvent } from "./repository.ts";

const ann: Answerer = { id: "device-a", name: "Ann", via: "gateway" };
const shop = { repositoryId: "shop", path: "/home/ann/shop", base: "main", by: ann } as const;
const add: RepositoryCommand = { type: "add", ...shop };
const added: RepositoryEvent = { type: "repository.added", ...shop };
const removed: RepositoryEvent = { type: "repository.removed", repositoryId: "shop", by: ann };
const remove: RepositoryCommand = { type: "remove", by: ann };

const entryOf = (seq: number, event: RepositoryEvent) => ({
  seq,
  stream: `repository/${event.repositoryId}`,
  type: event.type,
  at: seq * 10,
  data: repository.write(event),
});

test("[CORE-41] a repository is added once, removed once, and may be added again", () => {
  assert.deepEqual(given(repository).when(add), accept([added]));
  assert.deepEqual(given(repository).when(remove), refuse("repository.missing"));
  assert.deepEqual(given(repository, added).when(add), refuse("repository.taken", "shop"));
  assert.deepEqual(given(repository, added).when(remove), accept([removed]));
  assert.deepEqual(given(repository, added, removed).when(remove), refuse("repository.missing"));
  const elsewhere = { ...add, path: "/home/ann/other" };
  assert.ok(given(repository, added, removed).when(elsewhere).ok);
});

test("[CORE-41] an id is short and plain, and never that of a project's or build's own repository", () => {
  const bad = [
    "",
    "-a",
    "_a",
    "a b",
    "a/b",
    "..",
    "a.b",
    "é",
    "a\n",
    "own-x",
    "OWN-x",
    "x".repeat(65),
  ];
  for (const repositoryId of bad) {
    const outcome = given(repository).when({ ...add, repositoryId });
    assert.equal(outcome.ok ? "ok" : outcome.code, "params.invalid", JSON.stringify(repositoryId));
  }
  for (const repositoryId of ["a", "7", "A_b-c", "constructor", "owner", "x".repeat(64)]) {
    assert.ok(given(repository).when({ ...add, repositoryId }).ok, repositoryId);
  }
});

test("[CORE-41] no two checks have the same name", () => {
  const check = { name: "test", command: ["npm", "test"] };
  assert.ok(given(repository).when({ ...add, checks: [check] }).ok);
  const twice = given(repository).when({ ...add, checks: [check, check] });
  assert.deepEqual(twice, refuse("params.invalid", "two checks are called test"));
});

test("[CORE-41] the list has what was added and not removed, also after a restart", () => {
  const rows = createRepositories();
  const site: RepositoryEvent = { ...added, repositoryId: "site", path: "/site" };
  for (const [at, event] of [added, site, removed].entries()) rows.apply(entryOf(at + 1, event));
  assert.equal(rows.get("shop"), undefined);
  const [row, ...others] = rows.list();
  assert.deepEqual(row, { id: "site", path: "/site", base: "main", by: ann, addedAt: 20 });
  assert.deepEqual(others, []);
  const later = createRepositories();
  later.load(rows.save());
  assert.deepEqual(later.list(), rows.list());
});

test("[CORE-41] a repository with an entry that cannot be read is removed", () => {
  const damaged = { ...entryOf(2, added), data: { path: 1 } };
  assert.notEqual(findEventProblem(damaged), undefined);
  const rows = createRepositories();
  rows.apply(entryOf(1, added));
  rows.distrust?.(damaged);
  assert.deepEqual(rows.list(), []);
  assert.deepEqual(repository.distrust?.({ state: "added", repositoryId: "shop" }), {
    state: "absent",
  });
  assert.deepEqual(repository.read(entryOf(1, added)), added);
});
