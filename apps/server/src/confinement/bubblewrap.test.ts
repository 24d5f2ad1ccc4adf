import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, open, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { describe, test } from "node:test";
import { createIsOfAgent } from "../platform/agent-processes.ts";
import { holdingTimers } from "../platform/timers.ts";
import { createConfinement } from "./choose-confinement.ts";
import { describeConfinement } from "./confinement.contract.ts";
import type { Confinement } from "./confinement.ts";
import { markedProcesses } from "./process-tree.ts";
import { openFolders, shellIn } from "./testing/confinement-stage.ts";
import { ESCAPES } from "./testing/escapes.ts";
import { openSandbox, skipWithoutProc, skipWithoutSandbox } from "./testing/sandbox.ts";

const skip = skipWithoutSandbox();
const SOME_USER = 61_234;
const AS_SOME_USER = ["--reuid", `${SOME_USER}`, "--regid", `${SOME_USER}`, "--clear-groups", "--"];

/** Why the tests cannot be run as somebody else, or false. */
function whyNoOther(): string | false {
  if (process.getuid?.() !== 0) return "this is one";
  const { status } = spawnSync("setpriv", [...AS_SOME_USER, "test", "-r", import.meta.filename]);
  return status === 0 ? false : "others cannot read these files";
}

/** Whether the Node of this process is somewhere below. */
function isAbove(path: string): boolean {
  return process.execPath.startsWith(`${path}/`);
}

describeConfinement("bubblewrap", { skip, open: ({ home }) => openSandbox([home]) });

describe("in a sandbox", { skip }, () => {
  test("[CONFINE-7] none of the escapes gets out", async (t) => {
    await using folders = await openFolders();
    const { folder, store, other, home } = folders;
    await using stack = new AsyncDisposableStack();
    const listen = async (where: object): Promise<number> => {
      const server = createServer((socket) => socket.destroy()).listen(where);
      stack.defer(() => void server.close());
      await once(server, "listening");
      const address = server.address();
      return typeof address === "object" ? (address?.port ?? 0) : 0;
    };
    const port = await listen({ port: 0, host: "127.0.0.1" });
    const abstract = `atrium-${process.pid}-${port}`;
    await listen({ path: join(home, "socket") });
    await listen({ path: `\0${abstract}` });
    await symlink(other, join(folder, "link-out"));
    const before = await folders.guarded();
    const shell = shellIn(openSandbox([home]), folders);
    const env = {
      OTHER: other,
      STORE: store,
      HOME_FOLDER: home,
      PORT: String(port),
      SERVER: String(process.pid),
      ABSTRACT: abstract,
    };
    process.env["SERVER_SECRET"] = "do not tell";
    t.after(() => delete process.env["SERVER_SECRET"]);
    const limits = { scratchBytes: 32 * 1024 * 1024 };
    for (const [name, script] of Object.entries(ESCAPES)) {
      await t.test(name, async () => {
        const { end, output } = await shell(`set +m; ${script}`, { env, limits });
        assert.ok(end.how === "exited" && end.code !== 0, `${JSON.stringify(end)} ${output.text}`);
        assert.doesNotMatch(output.text, /OUT|do not tell|server-token|of another task/);
      });
    }
    assert.deepEqual(await folders.guarded(), before);
    assert.deepEqual(await readdir(other), ["secret"]);
  });

  test("[CONFINE-5] what whoever started the server left open for it is not seen", async () => {
    await using folders = await openFolders();
    await using secret = await open(join(folders.home, "token"));
    const double = join(import.meta.dirname, "testing/open-files-double.ts");
    // Beyond those that Node itself keeps from its children.
    const stdio = Array.from({ length: 41 }, (_, at) =>
      at === 40 ? secret.fd : ("ignore" as const),
    );
    const { stdout } = spawnSync(process.execPath, [double, folders.folder], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit", ...stdio.slice(3)],
    });
    assert.match(stdout, / 40 -> \/dev\/null$/m);
    assert.doesNotMatch(stdout, /token/);
  });

  test("[CONFINE-11] the server's Node is there too when it is installed in /tmp", async () => {
    await using folders = await openFolders();
    const node = join(folders.other, "node");
    await symlink(process.execPath, node);
    const shell = shellIn(openSandbox([folders.home], undefined, node), folders);
    const { end, output } = await shell(`${node} --version && ls ${folders.other}`);
    assert.deepEqual(
      [end.how === "exited" && end.code, output.text],
      [0, `${process.version}\nnode\n`],
    );
  });

  test("[CONFINE-7] a command can write in its folder and in memory of its own, nowhere else", async () => {
    await using folders = await openFolders();
    const { folder, home, root } = folders;
    const shell = shellIn(openSandbox([home]), folders);
    const { output } = await shell("find / -writable ! -type l 2> /dev/null");
    const writable = output.text.trim().split("\n");
    const devices = ["full", "null", "pts/ptmx", "random", "tty", "urandom", "zero"];
    const memory = ["/tmp", "/tmp/home", "/dev/pts", "/dev/shm", root];
    const expected = new Set([folder, ...memory, ...devices.map((name) => `/dev/${name}`)]);
    // Where Atrium is in /tmp, so are the folders above its Node: memory, too.
    const above = (path: string): boolean => path.startsWith("/tmp/") && isAbove(path);
    assert.deepEqual(
      writable.filter((path) => !expected.has(path) && !above(path)),
      [],
    );
    assert.ok(writable.includes(folder));
  });

  test("[CONFINE-8] git's data and what is shown can be read, and not written", async () => {
    await using folders = await openFolders();
    const { folder, store, other, home } = folders;
    const shell = shellIn(openSandbox([home]), folders);
    const readable = [{ from: other, to: join(folder, "node_modules") }];
    // Together, for what comes from two pipes comes in any order.
    const script = `exec 2>&1; cat .git "$STORE/config" node_modules/secret; touch node_modules/x || echo kept`;
    const { output } = await shell(script, { env: { STORE: store }, place: { readable } });
    assert.match(output.text, /^gitdir: .*\n\[core\]\nof another task\n.*\nkept\n$/);
  });

  test("[CONFINE-14] what a program writes besides is where it is said, with what is shown in it", async () => {
    await using folders = await openFolders();
    const { folder, other, home, root } = folders;
    const kept = join(root, "kept");
    await mkdir(kept);
    const place = {
      writable: [{ from: kept, to: "/run/house" }],
      readable: [{ from: other, to: "/run/house/.tool/shown" }],
    };
    const shell = shellIn(openSandbox([home]), { folder });
    const script = `
      cat /run/house/.tool/shown/secret; echo kept > /run/house/kept.txt
      echo x 2> /dev/null > /run/house/.tool/shown/new || echo read-only
      ls "${kept}" 2> /dev/null || echo hidden`;
    const { output } = await shell(script, { place });
    assert.equal(output.text, "of another task\nread-only\nhidden\n");
    assert.equal(await readFile(join(kept, "kept.txt"), "utf8"), "kept\n");
    assert.deepEqual(await readdir(other), ["secret"]);
    await rm(join(kept, ".tool"), { recursive: true });
    await symlink(home, join(kept, ".tool"));
    const { end } = await shell("true", { place });
    assert.match(JSON.stringify(end), /refused.*\.tool is not a folder/);
  });

  test("[CONFINE-15] what is another in a sandbox replaces what is meant for the command", async () => {
    await using folders = await openFolders();
    const shell = shellIn(openSandbox([folders.home]), folders);
    const { output } = await shell('echo "$HOME $KEPT ${MOVED-none}"', {
      env: { KEPT: "kept", MOVED: "/elsewhere" },
      sandboxEnv: { HOME: "/run/house", MOVED: null },
    });
    assert.equal(output.text, "/run/house kept none\n");
  });

  test("[CONFINE-8] git reads in a worktree, and cannot commit there", async () => {
    await using folders = await openFolders();
    const store = join(folders.root, "repository.git");
    const folder = join(folders.root, "worktree");
    const git = (...args: readonly string[]): string =>
      // oxlint-disable-next-line atrium/no-git -- as a person makes a repository
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    git("init", "--bare", "--quiet", store);
    const tree = git("-C", store, "hash-object", "-t", "tree", "-w", "/dev/null");
    const commit = git("-C", store, "commit-tree", tree, "-m", "Nothing yet");
    git("-C", store, "worktree", "add", "--quiet", "--detach", folder, commit);
    const shell = shellIn(openSandbox([folders.home]), { folder, store });
    const script =
      "exec 2>&1; git log --format=%s; touch new; git status --porcelain; git add new || echo kept; git commit --allow-empty -m x || echo kept";
    const { output } = await shell(script);
    assert.match(output.text, /^Nothing yet\n\?\? new\n(?:.*\n)+kept\n(?:.*\n)+kept\n$/);
    assert.equal(git("-C", store, "rev-parse", "--all"), "");
  });

  test("[CONFINE-8] a secret folder within what is shown is empty", async () => {
    await using folders = await openFolders();
    const { other } = folders;
    const inner = join(other, "inner");
    await mkdir(inner);
    await writeFile(join(inner, "token"), "secret");
    const shell = shellIn(openSandbox([inner]), folders);
    const place = { readable: [{ from: other }] };
    const { output } = await shell('ls "$OTHER" "$OTHER/inner"', { env: { OTHER: other }, place });
    assert.equal(output.text, `${other}:\ninner\nsecret\n\n${inner}:\n`);
  });

  test("[CONFINE-9] the network is there for a command that may use it, and for no other", async () => {
    await using folders = await openFolders();
    const server = createServer((socket) => socket.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      const script = `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", (e) => console.log(e.code)).pipe(process.stdout)'`;
      const shell = shellIn(openSandbox([folders.home]), folders);
      assert.equal((await shell(script, { network: true })).output.text, "hello");
      assert.equal((await shell(script)).output.text, "ECONNREFUSED\n");
    } finally {
      server.close();
    }
  });

  test("[CONFINE-9] who connects from a sandbox is known as an agent's", async () => {
    await using folders = await openFolders();
    const seen = Promise.withResolvers<boolean>();
    const isOfAgent = createIsOfAgent("mark");
    const server = createServer((socket) => {
      seen.resolve(isOfAgent(socket));
      socket.destroy();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      const port = typeof address === "object" ? (address?.port ?? 0) : 0;
      const shell = shellIn(openSandbox([folders.home]), folders);
      // It sheds its environment; what it is started by does not.
      const script = `exec env -i "$(command -v node)" -e 'require("net").connect(${port}, "127.0.0.1").resume()'`;
      await shell(script, { network: true });
      assert.equal(await seen.promise, true);
    } finally {
      server.close();
    }
  });

  test("[CONFINE-10] a sandbox ends when the server is killed", async () => {
    await using folders = await openFolders();
    const { folder } = folders;
    const double = join(import.meta.dirname, "testing/sandboxed-server-double.ts");
    const server = spawn(process.execPath, [double, folder], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(server.stdout, "data");
    assert.notDeepEqual(markedProcesses(`OUTLIVES=${folder}`), []);
    server.kill("SIGKILL");
    while (markedProcesses(`OUTLIVES=${folder}`).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  test("[CONFINE-10] all of this holds for an ordinary user", { skip: whyNoOther() }, async () => {
    const env = {
      PATH: process.env["PATH"],
      CI: process.env["CI"],
      TMPDIR: process.env["TMPDIR"],
    };
    const self = [process.execPath, "--test-reporter=tap", import.meta.filename];
    const { stdout } = spawnSync("setpriv", [...AS_SOME_USER, ...self], { env, encoding: "utf8" });
    const lines = stdout.split("\n").map((line) => line.trim());
    assert.deepEqual(
      lines.filter((line) => line.startsWith("not ok")),
      [],
    );
    assert.ok(
      lines.some((line) => /^ok \d+ - \[CONFINE-7\] none of the escapes/.test(line)),
      stdout,
    );
    assert.ok(!lines.some((line) => /none of the escapes.*# SKIP/.test(line)));
  });

  test("[CONFINE-11] the escapes are tried in a real sandbox, and refused", async () => {
    await using folders = await openFolders();
    const { problem, attempts, mode } = await openSandbox([folders.home]).probe();
    assert.deepEqual([mode, problem], ["bubblewrap", null]);
    assert.ok(attempts.length > 8);
    assert.deepEqual(
      attempts.filter(({ outcome }) => outcome !== "refused"),
      [],
    );
  });
});

const skipNone = skipWithoutProc();

describe("a sandbox that is none", { skip: skipNone }, () => {
  /** Programs that go by these names, in a folder that is looked into first. */
  async function withPrograms(
    programs: Readonly<Record<string, string>>,
    act: (confinement: Confinement, shell: ReturnType<typeof shellIn>) => Promise<void>,
  ): Promise<void> {
    await using folders = await openFolders();
    const bin = join(folders.root, "bin");
    await mkdir(bin);
    for (const [name, text] of Object.entries(programs)) {
      await writeFile(join(bin, name), text);
      await chmod(join(bin, name), 0o755);
    }
    const confinement = createConfinement({
      platform: "linux",
      path: [bin, "/usr/bin", "/bin"].join(delimiter),
      node: process.execPath,
      secret: [folders.home],
      marks: {},
      env: { PATH: "/usr/bin:/bin" },
      timers: holdingTimers,
      now: () => performance.now(),
    });
    await act(confinement, shellIn(confinement, folders));
  }

  const OPEN_DOOR = `#!/bin/sh
cat <&3 > /dev/null
while [ "$1" != "--" ]; do shift; done
shift
"$@"
code=$?
echo "{ \\"exit-code\\": $code }" >&4
exit $code
`;

  test("[CONFINE-11] one that lets commands out is not used: a person is asked", async () => {
    await withPrograms({ bwrap: OPEN_DOOR }, async (confinement, shell) => {
      const { mode, problem, attempts } = await confinement.probe();
      assert.equal(mode, "asking");
      assert.match(problem ?? "", /lets commands out: .*the server's home/);
      const escaped = attempts
        .filter(({ outcome }) => outcome === "escaped")
        .map(({ name }) => name);
      assert.ok(escaped.includes("a port of this machine"), escaped.join());
      const denied = { isAllowed: false, reason: "No." } as const;
      const { end } = await shell("echo never", { permit: () => Promise.resolve(denied) });
      assert.deepEqual(end, { how: "refused", reason: "No." });
      assert.equal((await shell("echo allowed")).output.text, "allowed\n");
    });
  });

  const BROKEN = {
    "user namespaces": `#!/bin/sh\necho "bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces." >&2\nexit 1\n`,
    "0.8 or newer": `#!/bin/sh\necho "bwrap: Unknown option --disable-userns" >&2\nexit 1\n`,
  };
  for (const [says, bwrap] of Object.entries(BROKEN)) {
    test(`[CONFINE-11] one that does not work says why: ${says}`, async () => {
      await withPrograms({ bwrap }, async (confinement) => {
        const { mode, problem } = await confinement.probe();
        assert.equal(mode, "asking");
        assert.ok(problem?.includes(says), problem ?? "");
      });
    });
  }

  test("[CONFINE-11] where there is no sandbox for the system, people are asked", async () => {
    await using folders = await openFolders();
    const confinement = createConfinement({
      platform: "darwin",
      path: "",
      node: process.execPath,
      secret: [folders.home],
      marks: {},
      env: {},
      timers: holdingTimers,
      now: () => performance.now(),
    });
    const { mode, problem } = await confinement.probe();
    assert.deepEqual([mode, problem], ["asking", "There is no sandbox for darwin."]);
  });
});
