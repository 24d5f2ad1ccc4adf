import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { openFolders } from "../../../confinement/testing/confinement-stage.ts";
import { openSandbox, skipWithoutSandbox } from "../../../confinement/testing/sandbox.ts";
import { systemTimers } from "../../../platform/timers.ts";
import { programOf } from "../../acp/launch/programs.ts";
import { PROGRAM_TABLE } from "../../detection/programs/program-table.ts";
import { createTestHost } from "../../testing/test-host.ts";
import { turnOf } from "../../testing/turns.ts";
import { openProgram } from "../program.ts";
import { secretsInFile } from "./file-secrets.ts";
import { createKnownLogins } from "./known-logins.ts";
import { filesOfHome, type ProgramHome } from "./program-home.ts";

const skip = skipWithoutSandbox();
const TOOL: ProgramHome = [
  {
    variable: "TOOL_HOME",
    folder: ".tool",
    files: ["settings.json", "login.json"],
    folders: ["plugins"],
  },
];

async function openBench() {
  const folders = await openFolders();
  const { root, folder, home: serverHome } = folders;
  const house = join(root, "house");
  const put = (name: string, content: string): void => {
    mkdirSync(dirname(join(house, name)), { recursive: true });
    writeFileSync(join(house, name), content);
  };
  put(".tool/settings.json", "settings\n");
  put(".tool/login.json", "login\n");
  put(".tool/history.json", "of other work\n");
  put(".tool/plugins/plugin.js", "plugin\n");
  put(".ssh/id", "of ssh\n");
  const env = { PATH: process.env["PATH"] ?? "", HOME: house, TOOL_HOME: join(house, ".tool") };
  const programs = join(root, "programs");
  const open = async (script: string, sandbox: { readonly login?: boolean } = {}) => {
    const home = { name: "tool", keeps: TOOL, logins: createKnownLogins() };
    const settings = { command: ["sh", "-c", script], cwd: "/", env, sandbox, home };
    const turn = turnOf("", { workspace: { folder, store: null, programs } });
    const deps = { timers: systemTimers, confinement: openSandbox([serverHome]) };
    return openProgram(settings, { turn, host: createTestHost({ speed: 1 }) }, deps);
  };
  return {
    house,
    put,
    open,
    programs,
    async run(...given: Parameters<typeof open>): Promise<readonly string[]> {
      const opened = await open(...given);
      assert.ok(opened.ok, JSON.stringify(opened));
      try {
        return (await text(opened.child.stdout)).trim().split("\n");
      } finally {
        await opened.child.stop();
      }
    },
    [Symbol.asyncDispose]: () => folders[Symbol.asyncDispose](),
  };
}

test(
  "[AGENT-34] a program has copies of its login and settings in its workspace, and nothing else of the home",
  { skip },
  async () => {
    await using bench = await openBench();
    const { house } = bench;
    const first = await bench.run(`
      cd ~/.tool; cat settings.json login.json plugins/plugin.js; ls -A
      cat "${house}/.ssh/id" "${house}/.tool/history.json" ~/.ssh/id 2> /dev/null || echo hidden
      echo "$HOME \${TOOL_HOME-moved}"; echo x 2> /dev/null > plugins/plugin.js || echo read-only
      echo renewed > login.json; echo session > session.json`);
    const kept = ["login.json", "plugins", "settings.json"];
    const shown = ["settings", "login", "plugin", ...kept, "hidden"];
    assert.deepEqual(first, [...shown, "/run/atrium-agent moved", "read-only"]);
    const theirs = (name: string): string => readFileSync(join(house, ".tool", name), "utf8");
    assert.equal(theirs("login.json"), "login\n");
    assert.equal(existsSync(join(house, ".tool/session.json")), false);
    const look = "cd ~/.tool; cat settings.json login.json session.json 2>&1";
    assert.deepEqual(await bench.run(look), ["settings", "renewed", "session"]);
    bench.put(".tool/login.json", "login of today\n");
    assert.deepEqual(await bench.run(look), ["settings", "login of today", "session"]);
    rmSync(join(house, ".tool/settings.json"));
    assert.deepEqual((await bench.run(look)).slice(1), ["login of today", "session"]);
  },
);

test(
  "[AGENT-35] with sandbox.login false it has none, and what was copied is taken away",
  { skip },
  async () => {
    await using bench = await openBench();
    await bench.run("echo session > ~/session.json");
    const left = await bench.run("find ~ -type f; ls ~/.tool/plugins", { login: false });
    assert.deepEqual(left, ["/run/atrium-agent/session.json"]);
  },
);

test(
  "[AGENT-34] a program that makes a link of its settings has nothing written or removed through it",
  { skip },
  async () => {
    await using bench = await openBench();
    bench.put(".other/login.json", "of another program\n");
    await bench.run("true");
    const inHome = join(bench.programs, "tool/.tool");
    rmSync(inHome, { recursive: true });
    symlinkSync(join(bench.house, ".other"), inHome);
    bench.put(".tool/login.json", "new\n");
    for (const login of [true, false]) {
      const opened = await bench.open("true", { login });
      assert.ok(!opened.ok);
      assert.match(opened.reason, /home in the sandbox cannot be used: .*outside the folder/);
      const theirs = readFileSync(join(bench.house, ".other/login.json"), "utf8");
      assert.equal(theirs, "of another program\n");
    }
  },
);

test("[AGENT-34] of every program that a runtime confines, the table says what it keeps", () => {
  const env = { HOME: "/home/me" };
  const rows = PROGRAM_TABLE.map(({ id, runtime }) => ({ id, settings: runtime?.([]) }));
  const confined = rows.flatMap(({ id, settings }) =>
    settings?.type === "acp" ? [[id, programOf(undefined, settings.command).home] as const] : [],
  );
  assert.equal(confined.length, 5);
  for (const [id, home] of confined) {
    const files = filesOfHome(home ?? [], env);
    assert.ok(files.length > 0, id);
    for (const { from, to } of files) assert.equal(from, join("/home/me", to));
  }
  const moved = filesOfHome(programOf("codex-acp", []).home ?? [], { ...env, CODEX_HOME: "/else" });
  assert.deepEqual(moved[0], { from: "/else/config.toml", to: ".codex/config.toml" });
});

test("[ACP-23] secrets are found in every form that programs keep them in", () => {
  const KEY = "sk-0123456789abcdef0123";
  const found: readonly (readonly [string, readonly string[]])[] = [
    [JSON.stringify({ openai: { type: "api", key: KEY } }), [KEY]],
    [JSON.stringify({ refresh_token: KEY, expiry_date: 1_794_786_757_865 }), [KEY]],
    [JSON.stringify({ openai: { type: "oauth", access: KEY } }), [KEY]],
    [JSON.stringify({ copilot_tokens: { "https://host:me": KEY } }), [KEY]],
    [JSON.stringify({ headers: { Authorization: `Bearer ${KEY}` } }), [KEY]],
    [`// mine\n{ "apiKey": "${KEY}", }`, [KEY]],
    [`[provider]\nexperimental_bearer_token = "${KEY}"\n`, [KEY]],
    [`GEMINI_API_KEY=${KEY}\n`, [KEY]],
    [`env_key = "OPENAI_API_KEY_2"\nbase_url = "http://127.0.0.1:8080/v1"\n`, []],
    [JSON.stringify({ apiKey: "{env:OPENAI_API_KEY_2}", tokenFile: "/run/secrets/token-1" }), []],
    [JSON.stringify({ theme: "solarized-dark-2024", tokenSource: "manual" }), []],
  ];
  for (const [content, secrets] of found) {
    assert.deepEqual(secretsInFile(content), secrets, content);
  }
});

test("[ACP-23] what a login was is masked for a while after it is another", () => {
  const inUse = new Set(["of something else"]);
  const logins = createKnownLogins(inUse);
  const keys = Array.from({ length: 6 }, (_, index) => `sk-${index}123456789abcdef0123`);
  for (const key of keys) logins.learn([{ from: "/login.json", text: `{"key":"${key}"}` }]);
  assert.deepEqual([...inUse].toSorted(), ["of something else", ...keys.slice(-4)].toSorted());
});
