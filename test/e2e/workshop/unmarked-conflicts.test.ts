/** Conflicts that no markers can show: files that are no text, and a deletion against an edit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { lookAt } from "../../kit/attend.ts";
import { git, openShop, readArtifact, storeOf, type Shop } from "../../kit/workshop.ts";

const skip = skipWithout("git");

/** Makes `logo.bin` and `old.txt` first, then tells how each side of a conflict is resolved from what the prompt says. */
const worker = (resolve: string): string => `prompt=$(cat)
version() { printf '%s\\n' "$prompt" | sed -n "s/^- $1: .*$2: .git cat-file blob \\([0-9a-f]*\\).*/\\1/p"; }
case "$prompt" in
  *"No markers can show these"*) ${resolve} ;;
  *) case "$ATRIUM_TASK_ID" in
       *_1) printf 'start\\0' > logo.bin; echo start > old.txt; echo start > new.txt ;;
       *_2) printf 'first\\0' > logo.bin; rm old.txt; echo first > new.txt ;;
       *_3) printf 'second\\0' > logo.bin; echo second > old.txt; rm new.txt ;;
     esac ;;
esac
echo "Made by $ATRIUM_TASK_ID."`;

/** Three tasks: the first starts it all, the others change the same in different ways. */
async function conflictIn(shop: Shop): Promise<{ artifactId: string; projectId: string }> {
  const { peer } = shop;
  const [start = "", first = "", second = ""] = await shop.request("Make it", "shop");
  const delivered = async (taskId: string): Promise<string> => {
    const { payload } = await peer.first(
      ({ payload: each }) => each.name === "artifact_delivered" && each.task_id === taskId,
    );
    return payload.artifact_id;
  };
  await peer.ask("approve_artifact", { artifact_id: await delivered(start) });
  const [one, artifactId] = [await delivered(first), await delivered(second)];
  await peer.ask("approve_artifact", { artifact_id: one });
  await peer.first(
    ({ payload }) => payload.name === "change_landed" && payload.artifact_id === one,
  );
  await peer.ask("approve_artifact", { artifact_id: artifactId });
  const { payload } = await peer.event("change_conflicted");
  assert.deepEqual(payload.paths, [
    { path: "logo.bin", kind: "binary" },
    { path: "new.txt", kind: "delete" },
    { path: "old.txt", kind: "delete" },
  ]);
  await peer.first(
    ({ payload: each }) =>
      each.name === "review_requested" && each.seq > payload.seq && each.task_id === second,
  );
  return { artifactId, projectId: payload.project_id };
}

interface Changes {
  readonly files: readonly { readonly path: string; readonly how: string }[];
}

async function changesOf({ atrium }: Shop, artifactId: string, query: string): Promise<Changes> {
  const address = new URL(`/api/artifacts/${artifactId}/changes?${query}`, atrium.url);
  const headers = { authorization: `Bearer ${atrium.token}` };
  return (await (await fetch(address, { headers })).json()) as Changes;
}

function shopWith(resolve: string): Parameters<typeof openShop>[0] {
  const command = ["/bin/sh", "-c", worker(resolve)];
  return {
    runtimes: { worker: { type: "command", command } },
    agents: ["agent_eng_1", "agent_eng_2", "agent_eng_3"].map((id) => ({ id, runtime: "worker" })),
    tasks: [{ title: "Start" }, { title: "First", after: [1] }, { title: "Second", after: [1] }],
  };
}

test(
  "[SHOP-24] files that are no text and deletions against edits are resolved from the versions in the prompt, and land",
  { skip },
  async () => {
    // Both logos in one file; what the other deleted stays deleted, what this deletes is deleted.
    const resolve = `
      git cat-file blob "$(version logo.bin 'what landed')" > both.tmp
      git cat-file blob "$(version logo.bin 'this change')" >> both.tmp
      mv both.tmp logo.bin
      printf '%s' "$prompt" | grep -q -- '- old.txt: what landed deleted it, and this change changed it' && rm old.txt
      printf '%s' "$prompt" | grep -q -- '- new.txt: this change deleted it, and what landed changed it' && rm new.txt`;
    await using shop = await openShop(shopWith(resolve));
    const { artifactId, projectId } = await conflictIn(shop);
    const { files } = await changesOf(shop, artifactId, "version=2&against=conflict");
    assert.deepEqual(
      files.map(({ path, how }) => [path, how]),
      [
        ["logo.bin", "changed"],
        ["new.txt", "removed"],
        ["old.txt", "removed"],
      ],
      "reviewers see what was made of the conflict",
    );
    await shop.peer.ask("approve_artifact", { artifact_id: artifactId });
    await shop.peer.event("project_completed");
    const line = `refs/heads/atrium/${projectId}/line`;
    const store = storeOf(shop, "shop");
    assert.equal(git(store, "show", `${line}:logo.bin`), "first\0second\0");
    assert.equal(git(store, "ls-tree", "--name-only", line, "old.txt", "new.txt"), "");
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-24] an agent that keeps what has landed hands over its answer; a person approves it, and nothing is lost",
  { skip },
  async () => {
    const resolve = `git cat-file blob "$(version new.txt 'what landed')" > new.txt; rm -f old.txt`;
    await using shop = await openShop(shopWith(resolve));
    const { artifactId, projectId } = await conflictIn(shop);
    const { artifacts, tasks } = await lookAt(shop.atrium);
    const kept = artifacts.find(({ artifact_id }) => artifact_id === artifactId);
    assert.deepEqual([kept?.version, kept?.type, kept?.landing], [2, "document", undefined]);
    assert.equal(tasks.at(-1)?.status, "in_review");
    const answer = await readArtifact(shop.atrium, artifactId);
    assert.match(answer, /resolved in favor of what has landed: no file changes/);
    assert.match(answer, /Made by task_/);
    const store = storeOf(shop, "shop");
    const line = `refs/heads/atrium/${projectId}/line`;
    const before = git(store, "rev-parse", line);
    await shop.peer.ask("approve_artifact", { artifact_id: artifactId, expected_version: 2 });
    await shop.peer.event("project_completed");
    assert.equal(git(store, "rev-parse", line), before);
    assert.equal(git(store, "show", `${line}:logo.bin`), "first\0");
    const { files } = await changesOf(shop, artifactId, "version=1");
    assert.deepEqual(
      files.map(({ path }) => path),
      ["logo.bin", "new.txt", "old.txt"],
    );
    assert.deepEqual(shop.atrium.faults, []);
  },
);
