/** Settings that change while the server runs: checked, written down, written to the file, in effect. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openMemoryLog, type Entry } from "@atrium/log";
import { openTestAtrium } from "../../kit/atrium.ts";
import { askSettings, fileOf, modeOf, patchSettings, readFileOf } from "../../kit/settings.ts";

const WRITTEN = `{
    "budgets":  { "run": { "tokens": 1000 } },
    "agents": [
        { "id": "agent_bd", "name": "Bee", "role": "front desk" },
        { "id": "agent_eng_1",   "name": "Eng", "role": "engineer" }
    ]
}
`;

/** With a file as a person wrote it, and a log that can be read. */
async function openWith(text: string | undefined, args: readonly string[] = []) {
  const log = openMemoryLog();
  const home = await mkdtemp(join(tmpdir(), "atrium-settings-"));
  if (text !== undefined) await writeFile(join(home, "atrium.config.json"), text);
  const atrium = await openTestAtrium({ home, args, openLog: async () => log });
  const entries = async (): Promise<readonly Entry[]> =>
    (await Array.fromAsync(log.read({ after: 0 }))).filter(({ stream }) =>
      stream.startsWith("settings/"),
    );
  return {
    ...atrium,
    entries,
    async [Symbol.asyncDispose]() {
      await atrium.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

test("[SET-1] [SET-6] [SET-7] a patch is in effect, in the file and in the log, and nothing else moved", async () => {
  await using atrium = await openWith(WRITTEN);
  await chmod(fileOf(atrium), 0o640);
  const { status, body } = await patchSettings(atrium, {
    budgets: { run: { tokens: 5 } },
    agents: { agent_eng_1: { name: "Engineer" } },
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.changed, ["budgets.run.tokens", "agents.agent_eng_1"]);
  assert.equal(body.settings.values.budgets.run.tokens, 5);
  const after = WRITTEN.replace("1000", "5").replace('"Eng"', '"Engineer"');
  assert.equal(await readFileOf(atrium), after);
  assert.equal(await modeOf(fileOf(atrium)), 0o640);
  const changed = (await atrium.entries()).filter(({ type }) => type === "settings.changed");
  const [first] = changed;
  assert.ok(first !== undefined);
  const { by, changes } = first.data as {
    by: { via: string; credential: { kind: string } };
    changes: readonly { path: string; value: unknown }[];
  };
  assert.deepEqual([changed.length, by.via, by.credential.kind], [1, "http", "token"]);
  assert.deepEqual(changes[0], { path: "budgets.run.tokens", value: 5 });
  const acting = { type: "rehearsal", pace: 0 };
  const second = await patchSettings(atrium, { runtimes: { act: acting } });
  assert.deepEqual(second.body.changed, ["runtimes.act"]);
  const again = await patchSettings(atrium, { budgets: { run: { tokens: 5 } } });
  assert.deepEqual([again.status, again.body.changed], [200, []]);
  assert.equal((await atrium.entries()).length, 3, "found, and changed twice");
});

test("[SET-1] [SET-4] config.patch takes OpenClaw's shape, and a hash that is no longer true is refused", async () => {
  await using atrium = await openWith(WRITTEN);
  await using peer = await atrium.connect();
  const { hash } = await peer.ask("config.get", {});
  const raw = JSON.stringify({ agents: [{ id: "agent_eng_1", role: "tester" }] });
  const done = await peer.ask("config.patch", { raw, baseHash: hash, note: "why" });
  assert.equal(done.ok, true);
  assert.equal(done.config.crew[1].role, "tester");
  const late = await peer.request("config.patch", { raw: "{}", baseHash: hash });
  assert.equal(late.error?.details?.code ?? late.error?.message?.includes("changed"), true);
  const { schema, version } = await peer.ask("config.schema", {});
  assert.ok(schema.properties.agents !== undefined && version !== "");
  assert.equal((await peer.request("config.patch", { raw: "[]" })).ok, false);
});

test("[SET-22] a list is united with what the file has there, which nobody is shown", async () => {
  const tool = { type: "command", command: ["/bin/cat"], env: ["FIRST_KEY"] };
  await using atrium = await openWith(JSON.stringify({ runtimes: { tool } }));
  const patch = { runtimes: { tool: { env: ["SECOND_KEY", "FIRST_KEY"] } } };
  const envNow = async (): Promise<readonly string[]> =>
    (JSON.parse(await readFileOf(atrium)) as { runtimes: { tool: typeof tool } }).runtimes.tool.env;
  const unitePaths = ["runtimes.tool.env", "runtimes.none.env", "agents"];
  const { status, body } = await patchSettings(atrium, patch, { unitePaths });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(await envNow(), ["FIRST_KEY", "SECOND_KEY"]);
  assert.ok(!JSON.stringify(body.settings.values).includes("FIRST_KEY"));
  await patchSettings(atrium, { runtimes: { tool: { env: ["SECOND_KEY"] } } });
  assert.deepEqual(await envNow(), ["SECOND_KEY"], "without it the list is replaced");
});

test("[SET-1] null removes, also one of the crew; the built-in crew becomes part of the file", async () => {
  await using atrium = await openWith(undefined);
  const { status, body } = await patchSettings(atrium, { agents: { agent_writer_1: null } });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.settings.exists, true);
  assert.equal(await modeOf(fileOf(atrium)), 0o600);
  const { agents } = JSON.parse(await readFileOf(atrium)) as { agents: { id: string }[] };
  assert.equal(agents.length, 5);
  const gone = await patchSettings(atrium, { agents: { agent_writer_1: null } });
  assert.equal(gone.body.error.code, "agent.unknown");
});

test("[SET-2] what would not start is refused by name, and everything stays", async () => {
  await using atrium = await openWith(WRITTEN);
  const refused = [
    [{ colour: "red" }, "colour"],
    [{ agents: { agent_eng_1: { runtime: "nobody" } } }, "nobody"],
    [
      {
        runtimes: { x: { type: "model", provider: "anthropic", model: "m", apiKeyEnv: "NO_KEY" } },
      },
      "NO_KEY",
    ],
    [{ runtimes: { x: { type: "acp", command: ["no-such-program"] } } }, "no-such-program"],
    [{ agents: { agent_eng_1: { tools: ["no_tool"] } } }, "no_tool"],
    [{ agents: { agent_bd: null, agent_eng_1: null } }, "agents"],
    [{ agents: { agent_bd: { desk: 1 } } }, "front desk"],
    [{ budgets: { run: { tokens: -1 } } }, "tokens"],
    [{ ["__proto__"]: { a: 1 } }, "__proto__"],
  ] as const;
  const before = (await atrium.entries()).length;
  for (const [patch, named] of refused) {
    const { status, body } = await patchSettings(atrium, patch);
    assert.equal(body.error?.code, "settings.invalid", JSON.stringify({ patch, body }));
    assert.ok(status >= 400 && body.error.message.includes(named), JSON.stringify(body));
  }
  assert.equal(await readFileOf(atrium), WRITTEN);
  assert.equal((await atrium.entries()).length, before);
});

test("[SET-3] what needs a restart, and what a flag sets, is refused with what to do", async () => {
  await using atrium = await openWith(WRITTEN, ["--agents", "rehearsal"]);
  const ask = async (patch: object): Promise<string> => {
    const { body } = await patchSettings(atrium, patch);
    assert.equal(body.error?.code, "settings.fixed", JSON.stringify(body));
    return String(body.error.message);
  };
  assert.match(await ask({ auth: "none" }), /auth: write it in .*atrium\.config\.json and restart/);
  assert.match(await ask({ port: 1 }), /port: --port sets it/);
  assert.match(await ask({ crewRuntime: "rehearsal" }), /crewRuntime: --agents sets it/);
  assert.match(
    await ask({ limits: { maxTurns: 3 }, host: "::1" }),
    /host: write it in .*, because the server listens there/,
  );
  assert.equal(await readFileOf(atrium), WRITTEN);
});

test("[SET-19] what cannot be changed is told beforehand, and every setting is described", async () => {
  await using atrium = await openWith(WRITTEN, ["--agents", "rehearsal"]);
  const { body } = await askSettings(atrium, "GET");
  const fixed = new Map(
    (body.fixed as { path: string; reason: string; by?: string }[]).map((each) => [
      each.path,
      each,
    ]),
  );
  assert.deepEqual(fixed.get("crewRuntime"), {
    path: "crewRuntime",
    reason: "given",
    by: "--agents",
  });
  assert.equal(fixed.get("auth")?.reason, "restart");
  assert.equal(fixed.get("durability")?.reason, "restart");
  for (const path of [
    "limits",
    "trustedProxies",
    "preview",
    "budgets",
    "office",
    "runtimes",
    "agents",
  ]) {
    assert.ok(!fixed.has(path), path);
  }
  const { schema } = (await askSettings(atrium, "GET", "/schema")).body;
  const properties = schema.properties as Record<string, { description?: string }>;
  for (const [name, { description }] of Object.entries(properties)) {
    assert.ok(description !== undefined, name);
  }
  assert.ok(schema.properties.limits.properties.maxTurns.description !== undefined);
  // What is told beforehand is what is said when it is tried.
  for (const { path, reason } of fixed.values()) {
    const refused = await patchSettings(atrium, { [path]: "x" });
    assert.equal(refused.body.error?.code, "settings.fixed", `${path} ${reason}`);
  }
});

test("[SET-7] a file that is a link stays one", async () => {
  await using atrium = await openWith(WRITTEN);
  const real = join(atrium.home, "elsewhere");
  await mkdir(real);
  const target = join(real, "settings.json");
  await writeFile(target, WRITTEN);
  await rm(fileOf(atrium));
  await symlink(target, fileOf(atrium));
  assert.equal((await patchSettings(atrium, { office: { meetingMs: 7 } })).status, 200);
  assert.equal(JSON.parse(await readFile(target, "utf8")).office.meetingMs, 7);
});

test("[SET-8] what people wrote since is kept and comes into effect; nonsense is left alone", async () => {
  await using atrium = await openWith(WRITTEN);
  await writeFile(fileOf(atrium), WRITTEN.replace('"Bee"', '"Beatrice"'));
  const done = await patchSettings(atrium, { budgets: { run: { tokens: 9 } } });
  assert.equal(done.body.settings.values.crew[0].name, "Beatrice");
  const nonsense = "{ not json";
  await writeFile(fileOf(atrium), nonsense);
  const refused = await patchSettings(atrium, { budgets: { run: { tokens: 10 } } });
  assert.equal(refused.body.error.code, "settings.unreadable");
  assert.equal(await readFileOf(atrium), nonsense);
  assert.equal((await askSettings(atrium, "GET")).body.values.budgets.run.tokens, 9);
});

test("[SET-9] [SET-23] a file that cannot be written is refused before anything is in the log", async () => {
  await using atrium = await openWith(WRITTEN);
  const before = (await atrium.entries()).length;
  await rm(fileOf(atrium));
  await mkdir(fileOf(atrium));
  const unreadable = await patchSettings(atrium, { budgets: { run: { tokens: 9 } } });
  assert.equal(unreadable.body.error.code, "settings.unreadable");
  await rm(fileOf(atrium), { recursive: true });
  // Into a folder that is gone: it can be read as absent, and not be written.
  await symlink(join(atrium.home, "gone", "settings.json"), fileOf(atrium));
  const { body } = await patchSettings(atrium, { budgets: { run: { tokens: 9 } } });
  assert.equal(body.error?.code, "settings.unwritable", JSON.stringify(body));
  assert.equal((await atrium.entries()).length, before);
  assert.equal((await askSettings(atrium, "GET")).body.values.budgets.run.tokens, 1000);
});

test("[SET-9] a file that someone changes at that moment is left as they have it, and the log says so", async () => {
  const log = openMemoryLog();
  const home = await mkdtemp(join(tmpdir(), "atrium-settings-"));
  const file = join(home, "atrium.config.json");
  await writeFile(file, WRITTEN);
  const theirs = WRITTEN.replace("1000", "2000");
  const append = log.append.bind(log);
  log.append = async (stream, expected, drafts, options) => {
    if (drafts.some(({ type }) => type === "settings.changed")) await writeFile(file, theirs);
    return append(stream, expected, drafts, options);
  };
  await using atrium = await openTestAtrium({ home, openLog: async () => log });
  const { body } = await patchSettings(atrium, { budgets: { run: { tokens: 9 } } });
  assert.equal(body.error?.code, "settings.unwritable", JSON.stringify(body));
  assert.equal(await readFileOf(atrium), theirs);
  const entries = await Array.fromAsync(log.read({ stream: "settings/server" }));
  assert.equal(entries.at(-1)?.type, "settings.reverted");
  const drafts = (await readdir(home)).filter((name) => name.startsWith(".atrium.config.json"));
  assert.deepEqual(drafts, []);
  await atrium.close();
  await rm(home, { recursive: true, force: true, maxRetries: 20 });
});
