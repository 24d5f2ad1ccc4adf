import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmod,
  link,
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { PathRefused, isGitName, readInside, writeInside } from "./folder-files.ts";

const MAX_DISK_BYTES = 4 * 1024 * 1024;
const ROUNDS = 400;
const MAX_BYTES = 1_000_000;

/** A folder with an enemy in it, and what must stay as it is beside it. */
async function openFolder() {
  const made = await mkdtempDisposable(join(await realpath(tmpdir()), "atrium-files-"));
  const folder = join(made.path, "work");
  const other = join(made.path, "other");
  for (const each of [folder, other, join(folder, "src"), join(folder, "nested", ".git")]) {
    await mkdir(each, { recursive: true });
  }
  await writeFile(join(other, "secret"), "secret");
  await writeFile(join(folder, ".git"), "gitdir: store\n");
  await writeFile(join(folder, "nested", ".git", "config"), "[core]\n");
  await writeFile(join(folder, "src", "a.ts"), "let a = 1;\n");
  await symlink(other, join(folder, "out"));
  await symlink(join(other, "secret"), join(folder, "out-file"));
  await symlink(join(other, "new"), join(folder, "dangling"));
  await symlink("src", join(folder, "in"));
  await symlink("src/a.ts", join(folder, "in-file"));
  await symlink(".git", join(folder, "to-git"));
  await symlink("loop", join(folder, "loop"));
  return { folder, other, [Symbol.asyncDispose]: () => made.remove() };
}

const ESCAPES: readonly (readonly [path: string, says: RegExp])[] = [
  ["../other/secret", /outside/],
  ["src/../../other/secret", /outside/],
  ["/etc/passwd", /outside/],
  ["//etc/passwd", /outside/],
  ["..", /outside/],
  ["out/secret", /outside/],
  ["out/new", /outside/],
  ["out-file", /outside/],
  ["dangling", /a link to something that does not exist/],
  ["loop", /link that cannot be followed/],
  [".git", /git's own data/],
  [".GIT/config", /git's own data/],
  [".Git", /git's own data/],
  [".git./config", /git's own data/],
  [".git /config", /git's own data/],
  ["git~1/config", /git's own data/],
  [".g\u200Cit/config", /git's own data/],
  [".git::$INDEX_ALLOCATION/config", /git's own data/],
  ["nested/.git/config", /git's own data/],
  ["to-git", /git's own data/],
  ["src/a.ts\0.png", /zero byte/],
  ["src/a.ts/b", /not a folder|does not exist/],
  ["", /folder|not a file/],
  [".", /folder|not a file/],
  ["src", /folder|not a file/],
  [`${"x/".repeat(3_000)}a`, /too long/],
];

test("[TOOL-7] no path leads out of the folder, into git's data or to what is no file", async (t) => {
  await using place = await openFolder();
  const { folder, other } = place;
  for (const [path, says] of ESCAPES) {
    await t.test(JSON.stringify(path.slice(0, 40)), async () => {
      const isRefused = (cause: unknown): boolean =>
        cause instanceof PathRefused && says.test(cause.message);
      await assert.rejects(readInside(folder, path, MAX_BYTES), isRefused);
      await assert.rejects(writeInside(folder, path, Buffer.from("x")), isRefused);
    });
  }
  assert.deepEqual(await readdir(other), ["secret"]);
  assert.equal(await readFile(join(other, "secret"), "utf8"), "secret");
  assert.equal(await readFile(join(folder, ".git"), "utf8"), "gitdir: store\n");
});

test("[TOOL-7] pipes, sockets and devices are not opened", { timeout: 10_000 }, async () => {
  await using place = await openFolder();
  const { folder } = place;
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const server = createServer().listen(join(folder, "socket"));
  try {
    await symlink("/dev/zero", join(folder, "zero"));
    for (const path of ["pipe", "socket"]) {
      await assert.rejects(readInside(folder, path, MAX_BYTES), /is not a file/);
      await assert.rejects(writeInside(folder, path, Buffer.from("x")), /is not a file/);
    }
    await assert.rejects(readInside(folder, "zero", MAX_BYTES), /outside/);
  } finally {
    server.close();
  }
});

test("[TOOL-7] links inside work, and so does an absolute path that is inside", async () => {
  await using place = await openFolder();
  const { folder } = place;
  for (const path of [
    "src/a.ts",
    "in/a.ts",
    "in-file",
    join(folder, "src/a.ts"),
    "x/../src/a.ts",
  ]) {
    const { bytes, path: from } = await readInside(folder, path, MAX_BYTES);
    assert.deepEqual([bytes.toString(), from], ["let a = 1;\n", "src/a.ts"]);
  }
  assert.equal(await writeInside(folder, "in-file", Buffer.from("2")), "src/a.ts");
  assert.equal(await readlink(join(folder, "in-file")), "src/a.ts");
  assert.equal(await readFile(join(folder, "src/a.ts"), "utf8"), "2");
});

test("[TOOL-7] a file is replaced whole, keeps its permissions, and new folders are made", async () => {
  await using place = await openFolder();
  const { folder, other } = place;
  const script = join(folder, "src", "run.sh");
  await writeFile(script, "old");
  await chmod(script, 0o751);
  await link(script, join(other, "same"));
  await writeInside(folder, "src/run.sh", Buffer.from("new"));
  assert.equal((await stat(script)).mode & 0o777, 0o751);
  // What was linked to it from elsewhere is another file now.
  assert.equal(await readFile(join(other, "same"), "utf8"), "old");
  await writeInside(folder, "deep/er/a\nb.txt", Buffer.from("made"));
  assert.equal(await readFile(join(folder, "deep/er/a\nb.txt"), "utf8"), "made");
  assert.deepEqual(await readdir(join(folder, "src")), ["a.ts", "run.sh"]);
  await assert.rejects(readInside(folder, "src/run.sh", 2), /has 3 bytes; the most is 2/);
});

test("[TOOL-7] a folder that is swapped for a link meanwhile leads nowhere", async () => {
  await using place = await openFolder();
  const { folder, other } = place;
  const src = join(folder, "src");
  await writeFile(join(other, "a.ts"), "a secret\n");
  const [way, aside] = [join(folder, "src-link"), join(folder, "src-aside")];
  const before = await readdir(other);
  const over = new AbortController();
  const swap = async (): Promise<void> => {
    const steps = [
      () => symlink(other, way),
      () => rename(src, aside),
      () => rename(way, src),
      () => rename(src, way),
      // It may have been made anew for a file in it.
      () => rm(src, { recursive: true, force: true }),
      () => rename(aside, src),
    ];
    while (!over.signal.aborted) for (const step of steps) await step().catch(() => undefined);
  };
  const swapping = swap();
  using stack = new DisposableStack();
  stack.defer(() => over.abort());
  let refusals = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const acts = [
      readInside(folder, "src/a.ts", MAX_BYTES).then(({ bytes }) =>
        assert.doesNotMatch(bytes.toString(), /secret/),
      ),
      writeInside(folder, "src/a.ts", Buffer.from("written")),
      writeInside(folder, `src/new-${round}/a.ts`, Buffer.from("written")),
    ];
    for (const done of await Promise.allSettled(acts)) {
      if (done.status === "fulfilled") continue;
      assert.ok(done.reason instanceof PathRefused, String(done.reason));
      refusals += 1;
    }
  }
  over.abort();
  await swapping;
  assert.ok(refusals > 0, "it was swapped in time");
  assert.equal(await readFile(join(other, "a.ts"), "utf8"), "a secret\n");
  assert.deepEqual(await readdir(other), before);
});

test("[TOOL-7] a full disk is told, and the file stays as it was", async (t) => {
  await using place = await openFolder();
  const disk = join(place.folder, "disk");
  await mkdir(disk);
  const options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk];
  if (spawnSync("mount", options).status !== 0) return t.skip("may not mount a small disk here");
  using stack = new DisposableStack();
  stack.defer(() => spawnSync("umount", ["--lazy", disk]));
  await writeInside(place.folder, "disk/a.txt", Buffer.from("before"));
  const large = writeInside(place.folder, "disk/a.txt", Buffer.alloc(MAX_DISK_BYTES));
  await assert.rejects(large, { name: "PathRefused", message: /the disk is full/ });
  assert.equal(await readFile(join(disk, "a.txt"), "utf8"), "before");
  assert.deepEqual(await readdir(disk), ["a.txt"]);
});

test("[TOOL-7] names that some file system takes for .git are told from those that none does", () => {
  for (const name of [".git", ".GIT", "git~1", ".git.. ", ".gi\u200Dt"]) {
    assert.ok(isGitName(name), name);
  }
  // oxlint-disable-next-line atrium/no-git -- names of files
  for (const name of [".gitignore", ".github", "git", "a.git", ".git-blame"]) {
    assert.ok(!isGitName(name), name);
  }
});
