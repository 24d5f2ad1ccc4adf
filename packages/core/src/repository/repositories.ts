/** Which repositories people have added and not removed. */
import { idIn } from "../engine/dispatch.ts";
import type { Projection } from "../engine/projection.ts";
import type { Answerer } from "../people/answerer.ts";
import { repository, type RepositoryDetails } from "./repository.ts";

export interface RepositoryRow extends RepositoryDetails {
  readonly id: string;
  readonly by: Answerer;
  readonly addedAt: number;
}

export interface RepositoryList extends Projection<readonly RepositoryRow[]> {
  get(id: string): RepositoryRow | undefined;
  /** Oldest first. */
  list(): readonly RepositoryRow[];
}

export function createRepositories(): RepositoryList {
  let rows = new Map<string, RepositoryRow>();
  return {
    name: "repositories",
    version: 1,
    get: (id) => rows.get(id),
    list: () => [...rows.values()],
    apply(entry) {
      const id = idIn(repository, entry.stream);
      if (id === undefined) return;
      const event = repository.read(entry);
      switch (event.type) {
        case "repository.added": {
          const { type: _type, repositoryId: _id, ...addition } = event;
          rows.set(id, { ...addition, id, addedAt: entry.at });
          return;
        }
        case "repository.removed":
          rows.delete(id);
      }
    },
    distrust({ stream }) {
      const id = idIn(repository, stream);
      if (id !== undefined) rows.delete(id);
    },
    save: () => [...rows.values()],
    load(saved) {
      rows = new Map(saved.map((row) => [row.id, row]));
    },
  };
}
