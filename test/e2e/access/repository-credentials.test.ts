/** What the user's repository keeps to reach others with stays there. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { systemTimers } from "../../../apps/server/src/platform/timers.ts";
import { openWorkspaces } from "../../../apps/server/src/workspaces/open-workspaces.ts";
import {
  makeRepository,
  write,
} from "../../../apps/server/src/workspaces/testing/user-repository.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { filesWith } from "../../kit/files-with.ts";

const SECRET = "canary-clone-0123456789abcdef";

test(
  "[SECRET-7] the copy of a repository and its worktrees have no credential of its settings",
  { skip: skipWithout("git") },
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-credentials-"));
    const user = makeRepository(join(folder.path, "user"), { "README.md": "# Shop\n" });
    for (const [name, value] of [
      ["remote.origin.url", `https://ann:${SECRET}@git.example/shop.git`],
      ["http.https://git.example/.extraheader", `Authorization: Basic ${SECRET}`],
      ["credential.helper", `!echo password=${SECRET}`],
    ] as const) {
      execFileSync("git", ["-C", user, "config", name, value]);
    }
    const root = join(folder.path, "workshop");
    const path = process.env["PATH"] ?? "";
    const spaces = openWorkspaces({ root, path, timers: systemTimers });
    const opened = await spaces.openRepository({ id: "shop", path: user });
    assert.ok(opened.ok, JSON.stringify(opened));
    const tree = await spaces.openWorktree({ repositoryId: "shop", workspaceId: "w1", at: 1 });
    assert.ok(tree.ok, JSON.stringify(tree));
    write(tree.value.folder, { "tide.txt": "high\n" });
    const author = { name: "Ada", email: "ada@agents.invalid" };
    const sealed = await spaces.seal("w1", { message: "Made", author, at: 1_000 });
    assert.ok(sealed.ok, JSON.stringify(sealed));
    assert.deepEqual(
      await filesWith(user, SECRET),
      [join(".git", "config")],
      "it is in the user's",
    );
    assert.deepEqual(await filesWith(root, SECRET), []);
  },
);
