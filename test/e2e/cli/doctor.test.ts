/** `atrium doctor` with a patient that is well, absent, or ill in known ways. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli, type CliOptions } from "../../kit/cli-process.ts";
import { copyOldHome } from "../../kit/old-homes.ts";
import { startServer, withHome } from "../../kit/server-process.ts";
import { readEntries } from "../../kit/workshop.ts";

interface Finding {
  readonly about: string;
  readonly state: string;
  readonly says: string;
  readonly advice?: string;
}

async function examine(args: readonly string[], options?: CliOptions) {
  const { code, stdout, stderr } = await runCli(["doctor", "--json", ...args], options);
  assert.equal(stderr, "");
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  assert.equal(code, ok ? 0 : 1);
  const about = (name: string): Finding => findings.find((finding) => finding.about === name)!;
  const wrong = findings.filter(({ state }) => state === "broken").map((finding) => finding.about);
  return { ok, findings, about, wrong };
}

test("[CLI-23] a server that is well is said to be, line by line", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const { ok, findings, about } = await examine(["--home", home]);
    assert.equal(ok, true);
    assert.deepEqual(
      findings.map((finding) => finding.about),
      [
        "node",
        "settings",
        "home",
        "secrets",
        "held by",
        "log",
        "disk",
        "port",
        "server",
        "token",
        "clock",
        "load",
        "preview",
        "sandbox",
        "git",
        "found",
        "agents",
      ],
    );
    assert.match(about("held by").says, new RegExp(`^process ${server.pid}, for `));
    assert.match(about("log").says, /^\d.* [kM]?B, writable$/);
    assert.equal(about("token").says, "accepted");
    assert.match(about("agents").says, /^6 agents by rehearsal\//);
    const { code, stdout } = await runCli(["doctor", "--home", home]);
    assert.equal(code, 0);
    assert.match(stdout, /^ {2}ok {4}node {6}26\.[^]*\nEverything works\.\n$/);
  });
});

test("[CONFINE-11] the doctor, the journal, the log and HTTP say whether commands are sandboxed", async () => {
  await withHome(async (home) => {
    await using server = await startServer(home);
    const headers = { authorization: `Bearer ${server.token}` };
    const response = await fetch(new URL("/api/confinement", server.url), { headers });
    const report = (await response.json()) as { problem: string | null; attempts: object[] };
    const { about } = await examine(["--home", home]);
    const { state, says } = about("sandbox");
    const journal = await readFile(join(home, "atrium.log"), "utf8");
    const notes = journal.split("\n").filter((line) => /"msg":"commands (?:run|are)/.test(line));
    assert.equal(notes.length, 1);
    await server.end();
    await using again = await startServer(home);
    await fetch(new URL("/api/confinement", again.url), { headers });
    await again.end();
    const entries = (await readEntries(home)).filter(({ type }) => type === "sandbox.tested");
    assert.deepEqual(
      entries.map(({ data }) => data),
      [report],
      "in the log once, as nothing changed",
    );
    if (report.problem === null) {
      assert.equal(state, "ok");
      assert.equal(says, `bubblewrap; ${report.attempts.length} escapes tried and refused`);
      assert.match(notes[0] ?? "", /commands run in a sandbox/);
    } else {
      assert.equal(state, "note");
      assert.ok(says.includes(report.problem));
      assert.ok(notes[0]?.includes(JSON.stringify(report.problem)));
    }
  });
});

test("[CLI-23] without a server it says how to start one", async () => {
  await withHome(async (folder) => {
    const { wrong, about } = await examine(["--home", join(folder, "none")]);
    assert.deepEqual(wrong, ["server"]);
    assert.equal(about("server").advice, "To start one, run: atrium up");
    assert.equal(about("home").state, "note");
    const { code, stdout } = await runCli(["doctor", "--home", join(folder, "none")]);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^ {2}broken {2}server .*\n +→ To start one, run: atrium up\n\n1 check failed\.\n$/m,
    );
  });
});

test("[CLI-23] a server that was killed is told by the note it left", async () => {
  await withHome(async (home) => {
    const server = await startServer(home);
    await server.end("SIGKILL");
    const { wrong, about } = await examine(["--home", home]);
    assert.deepEqual(wrong, ["server"]);
    assert.match(about("held by").says, new RegExp(`^process ${server.pid}, which ended`));
  });
});

test("[CLI-23] what is wrong with the home is told with the way to repair it", async () => {
  await withHome(async (home) => {
    await using _server = await startServer(home);
    await chmod(join(home, "token"), 0o644);
    const open = await examine(["--home", home]);
    assert.deepEqual(open.wrong, ["secrets"]);
    assert.match(open.about("secrets").says, /^token is readable by other users \(mode 644\)$/);
    assert.equal(open.about("secrets").advice, `chmod 600 ${home}/token`);
    await chmod(join(home, "token"), 0o600);
    await chmod(home, 0o777);
    const shared = await examine(["--home", home]);
    assert.deepEqual(shared.wrong, ["home"]);
    assert.equal(shared.about("home").advice, `chmod 700 ${home}`);
    await chmod(home, 0o700);
    assert.equal((await examine(["--home", home])).ok, true);
  });
});

test("[CLI-23] settings that cannot be read, and a home that is a file, are broken", async () => {
  await withHome(async (folder) => {
    await mkdir(join(folder, "home"));
    await writeFile(join(folder, "atrium.config.json"), "{ home: ");
    const torn = await examine(["--home", join(folder, "home")], { cwd: folder });
    assert.ok(torn.wrong.includes("settings"));
    assert.match(torn.about("settings").says, /atrium\.config\.json: /);
    const file = await examine(["--home", join(folder, "atrium.config.json")]);
    assert.match(file.about("home").says, /is not a folder$/);
  });
});

test("[CLI-23] a port that another program has is told, with the program", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  try {
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await withHome(async (home) => {
      const { about } = await examine(["--home", home], { env: { ATRIUM_PORT: `${port}` } });
      assert.equal(about("port").state, "broken");
      const who = process.platform === "linux" ? `\\S+ \\(process ${process.pid}\\)` : ".*";
      assert.match(about("port").says, new RegExp(`^${port} is taken by ${who}$`));
      assert.match(about("port").advice ?? "", /--port 0/);
    });
  } finally {
    other.close();
  }
});

test("[CLI-23] a wrong token, a stranger and an empty address are told apart", async () => {
  await using atrium = await openTestAtrium();
  const fine = await examine(["--url", atrium.url, "--token", atrium.token]);
  assert.equal(fine.ok, true);
  const denied = await examine(["--url", atrium.url, "--token", "wrong"]);
  assert.deepEqual(denied.wrong, ["token"]);
  assert.match(denied.about("token").advice ?? "", /--token/);
  const gone = await examine(["--url", "http://127.0.0.1:1"]);
  assert.match(gone.about("server").says, /does not answer/);
  const other = createServer((_request, response) => response.end("hello"));
  try {
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const stranger = await examine(["--url", `http://127.0.0.1:${port}`]);
    assert.match(stranger.about("server").says, /not an Atrium server/);
  } finally {
    other.closeAllConnections();
    other.close();
  }
});

test("[CLI-25] where agents are programs, it says with whose rights they run; where they rehearse, it does not", async () => {
  await withHome(async (home) => {
    const config = {
      runtimes: { ls: { type: "command", command: ["ls"] } },
      agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "ls" }],
    };
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
    await using _server = await startServer(home);
    const { about } = await examine(["--home", home]);
    assert.equal(about("rights").state, "note");
    assert.match(about("rights").says, /run with the rights of the server's user/);
    assert.match(about("rights").says, /including the server's token/);
  });
  await withHome(async (home) => {
    await using _server = await startServer(home);
    const { findings } = await examine(["--home", home]);
    assert.ok(!findings.some(({ about }) => about === "rights"));
  });
});

test("[CLI-25] standing permissions that are void since an upgrade are counted until they are put away", async () => {
  await withHome(async (home) => {
    await copyOldHome("0.1.0-e6fb022", home);
    await using server = await startServer(home, { args: ["--agents", "fast"] });
    await using peer = await server.connect();
    const { rules } = await peer.ask("exec.approval.rules.list", {});
    assert.ok(rules.length > 0);
    const { about } = await examine(["--home", home]);
    assert.equal(about("permissions").state, "note");
    const { says } = about("permissions");
    assert.ok(says.startsWith(`${rules.length} standing permission`), says);
    assert.match(says, /void and agents ask again$/);
    for (const { id } of rules) await peer.ask("exec.approval.rules.revoke", { id });
    const { findings } = await examine(["--home", home]);
    assert.ok(!findings.some((finding) => finding.about === "permissions"));
  });
});

test(
  "[CLI-23] repositories of the settings are opened, and those that cannot be are named",
  { skip: skipWithout("git") },
  async () => {
    await withHome(async (home) => {
      await mkdir(join(home, "shop"));
      await writeFile(join(home, "shop/a.txt"), "a");
      const repositories = {
        shop: { path: join(home, "shop") },
        gone: { path: join(home, "gone") },
      };
      await writeFile(join(home, "atrium.config.json"), JSON.stringify({ repositories }));
      await using _server = await startServer(home);
      const { findings, wrong } = await examine(["--home", home]);
      assert.deepEqual(wrong, ["repository"]);
      const lines = findings.filter(({ about }) => about === "repository").map(({ says }) => says);
      assert.equal(lines[0], `shop: ${home}/shop`);
      assert.match(lines[1] ?? "", /^gone: there is no folder /);
      assert.deepEqual(await readdir(join(home, "shop")), ["a.txt"]);
    });
  },
);

test("[CLI-23] a server without git says so, and everything else is well", async () => {
  await withHome(async (home) => {
    // The one program that starts it.
    await mkdir(join(home, "bin"));
    await symlink("/bin/sh", join(home, "bin/sh"));
    await using _server = await startServer(home, { env: { PATH: join(home, "bin") } });
    const { ok, about } = await examine(["--home", home]);
    assert.equal(ok, true);
    assert.equal(about("git").state, "note");
    assert.match(about("git").says, /^there are no worktrees: git 2\.38 or newer is needed/);
  });
});
