/** Disks that are full, a git that is not there, and one that goes away while it works. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { AT, codeOf, openBenchTop, value, type OpenTested } from "./testing/bench-top.ts";
import { git, write } from "./testing/user-repository.ts";

const PATH = process.env["PATH"] ?? "";
const MIB = 1024 * 1024;
const skip = skipWithout("git");
const open: OpenTested = (root) => openWorkspaces({ root, path: PATH, timers: systemTimers });

test(
  "[SPACE-17] a full disk is told; what was told before stays, and it goes on when there is room",
  { skip },
  async (t) => {
    await using top = await openBenchTop(open);
    mkdirSync(top.root, { recursive: true });
    const options = ["-t", "tmpfs", "-o", "size=24m", "tmpfs", top.root];
    if (spawnSync("mount", options).status !== 0) return t.skip("may not mount a small disk here");
    using stack = new DisposableStack();
    stack.defer(() => spawnSync("umount", ["--lazy", top.root]));
    const { folder, store } = await top.worktree("one");
    write(folder, { "src/a.ts": "before\n" });
    const told = value(await top.spaces.recordMoment("one", { label: "x", at: AT }));
    const ballast = join(top.root, "ballast");
    writeFileSync(ballast, Buffer.alloc(12 * MIB));
    // What cannot be compressed takes its room again as an object.
    writeFileSync(join(folder, "noise.bin"), randomBytes(8 * MIB));
    const full = await top.spaces.recordMoment("one", { label: "y", at: AT });
    assert.equal(codeOf(full), "disk.full", JSON.stringify(full));
    const more = { repositoryId: "shop", workspaceId: "two", at: AT };
    rmSync(join(folder, "noise.bin"));
    writeFileSync(join(top.root, "ballast-2"), Buffer.alloc(0));
    spawnSync("sh", ["-c", 'cat /dev/zero > "$F"'], {
      env: { PATH, F: join(top.root, "ballast-2") },
    });
    const refused = await top.spaces.openWorktree(more);
    assert.equal(codeOf(refused), "disk.full", JSON.stringify(refused));
    rmSync(ballast);
    rmSync(join(top.root, "ballast-2"));
    const file = value(await top.spaces.readFile("shop", told.tree, "src/a.ts", 100));
    assert.equal(file.content?.toString(), "before\n");
    write(folder, { "src/a.ts": "after\n" });
    const after = value(await top.spaces.recordMoment("one", { label: "z", at: AT }));
    assert.equal(after.isNew, true);
    value(await top.spaces.openWorktree(more));
    git(store, "fsck", "--strict", "--no-dangling");
  },
);

test("[SPACE-17] a limit on the size of files is told as a full disk", { skip }, async () => {
  await using top = await openBenchTop(open);
  const { folder } = await top.worktree("one");
  await using limited = openPretended(top.root, top.folder, 'ulimit -f 200; exec git "$@"');
  writeFileSync(join(folder, "noise.bin"), randomBytes(MIB));
  assert.equal(codeOf(await limited.recordMoment("one", { label: "x", at: AT })), "disk.full");
});

test(
  "[SPACE-16] without git everything is refused by name, nothing is made, and it works once git is there",
  { skip },
  async () => {
    await using top = await openBenchTop(open);
    const program = join(top.folder, "git");
    const root = join(top.folder, "later");
    await using spaces = openWorkspaces({ root, path: PATH, timers: systemTimers, program });
    assert.equal(codeOf(await spaces.probe()), "git.missing");
    assert.equal(codeOf(await spaces.recover()), "ok");
    const source = { id: "shop", path: top.repository };
    assert.equal(codeOf(await spaces.openRepository(source)), "git.missing");
    const request = { repositoryId: "shop", workspaceId: "one", at: AT };
    assert.equal(codeOf(await spaces.openWorktree(request)), "git.missing");
    assert.throws(() => rmSync(root), "nothing was made");
    writeFileSync(program, '#!/bin/sh\nexec git "$@"\n');
    chmodSync(program, 0o755);
    value(await spaces.openRepository(source));
  },
);

test(
  "[SPACE-16] a git that goes away while it is in use is told, and its readers come back",
  { skip },
  async () => {
    await using top = await openBenchTop(open);
    const { tree, folder } = await top.worktree("one");
    const program = join(top.folder, "git");
    writeFileSync(program, '#!/bin/sh\nexec git "$@"\n');
    chmodSync(program, 0o755);
    await using spaces = openWorkspaces({
      root: top.root,
      path: PATH,
      timers: systemTimers,
      program,
    });
    const read = async (): Promise<string> =>
      codeOf(await spaces.readFile("shop", tree, "src/a.ts", 100));
    assert.equal(await read(), "ok");
    value(await spaces.probe());
    write(folder, { "src/a.ts": "changed\n" });
    rmSync(program);
    assert.equal(codeOf(await spaces.recordMoment("one", { label: "x", at: AT })), "git.missing");
    writeFileSync(program, "#!/bin/sh\necho broken >&2\nexit 2\n");
    chmodSync(program, 0o755);
    assert.equal(codeOf(await spaces.recordMoment("one", { label: "x", at: AT })), "git.failed");
    writeFileSync(program, '#!/bin/sh\nexec git "$@"\n');
    value(await spaces.recordMoment("one", { label: "x", at: AT }));
    assert.equal(await read(), "ok");
  },
);

test("[SPACE-17] a git that hangs does not keep the server from ending", { skip }, async () => {
  await using top = await openBenchTop(open);
  const { folder } = await top.worktree("one");
  write(folder, { "src/a.ts": "changed\n" });
  const mark = join(top.folder, "hangs");
  const hang = `case "$*" in *ls-files*) touch "${mark}"; sleep 1000 ;; esac; exec git "$@"`;
  const spaces = openPretended(top.root, top.folder, hang);
  const recording = spaces.recordMoment("one", { label: "x", at: AT });
  while (!existsSync(mark)) await sleep(5);
  await spaces[Symbol.asyncDispose]();
  assert.equal(codeOf(await recording), "git.failed");
  assert.equal(codeOf(await spaces.recordMoment("one", { label: "x", at: AT })), "git.failed");
});

function openPretended(root: string, folder: string, script: string): ReturnType<OpenTested> {
  const program = join(folder, "pretended-git");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  return openWorkspaces({ root, path: PATH, timers: systemTimers, program });
}
