/** A commit as files, and as a repository to clone. */
import { accept, refuse, type Outcome } from "@atrium/core";
import type { WorkspaceAccess } from "../access/access.ts";
import { readCommitFacts } from "../git/commits.ts";
import type { Serving } from "../port/serving.ts";
import type { Store } from "../store/store.ts";
import { exportLine } from "./export-line.ts";
import { serveFetch } from "./serve-fetch.ts";
import { watchReader } from "./watch-reader.ts";

/** Each is a git of its own, which reads and packs. */
const MAX_AT_ONCE = 4;
const SILENCE_MS = 60_000;

export function createServing(access: WorkspaceAccess): Serving {
  const { kit } = access;
  let fetching = 0;
  return {
    exportFiles: (repositoryId, commit, name) =>
      access.inStore(repositoryId, async (store) => {
        const facts = await readCommitFacts(store.objects, commit);
        if (!facts.ok) return facts;
        const { tree } = facts.value;
        return exportLine(kit, store, { commit, tree, base: commit }, { how: "zip", name });
      }),
    serveFetch(repositoryId, commit, request) {
      const answer = Promise.withResolvers<Outcome<AsyncIterable<Buffer>>>();
      // The store is in use until the last byte is read.
      const serve = async (store: Store): Promise<Outcome<void>> => {
        const facts = await readCommitFacts(store.objects, commit);
        if (!facts.ok) return facts;
        if (fetching >= MAX_AT_ONCE) return refuse("rate-limited", "others are cloning");
        fetching += 1;
        const over = Promise.withResolvers<void>();
        const bytes = serveFetch(kit, store, commit, request);
        const watch = { timers: kit.timers, silenceMs: SILENCE_MS, onEnd: over.resolve };
        answer.resolve(accept(watchReader(bytes, watch)));
        await over.promise;
        fetching -= 1;
        return accept(undefined);
      };
      const serveIn = async (): Promise<void> => {
        const served = await access.inStore(repositoryId, serve);
        if (!served.ok) answer.resolve(served);
      };
      serveIn().catch(answer.reject);
      return answer.promise;
    },
  };
}
