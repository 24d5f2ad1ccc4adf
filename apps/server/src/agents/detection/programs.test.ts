/** Detection with small real programs in place of the agents: well, ill in every known way, and curious. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { gone } from "../../../../../test/kit/processes.ts";
import { Runtimes } from "../settings/runtime-settings.ts";
import { openMachine, programIn, type TestMachine } from "./testing/machine.ts";

/** What each prints for its version, as seen. */
const VERSIONS = {
  claude: "2.1.325 (Claude Code)",
  codex: "codex-cli 0.166.0",
  opencode: "1.18.33",
  gemini: "0.61.0",
  qwen: "0.24.4",
  copilot: "GitHub Copilot CLI 1.0.102.\nRun 'copilot update' to check for updates.",
  cline: "3.0.65",
};
const HELLO =
  '{"jsonrpc":"2.0","result":{"protocolVersion":1,"authMethods":[],"agentInfo":{"name":"codex-acp","version":"0.16.0"}},"id":0}';

/** Long enough for a script on a busy machine. */
const DEADLINE_MS = 3_000;

/** Says its version, and to anything else what is given. */
function saying(version: string, rest = "exit 1"): string {
  return `if [ "$*" = --version ]; then cat <<'END'\n${version}\nEND\nelse ${rest}; fi`;
}

async function installAll(machine: TestMachine): Promise<void> {
  for (const [name, version] of Object.entries(VERSIONS)) {
    await machine.install(name, saying(version));
  }
  // It answers, and stays for ever, with a child that outlives it.
  await machine.install("codex-acp", `read line; echo '${HELLO}'; sleep 1000 & wait`);
}

test("[DETECT-1] every known program is found with its path and version", async () => {
  await using machine = await openMachine();
  await installAll(machine);
  await using detector = machine.open();
  const { agentPrograms } = await detector.detect(false);
  const found = agentPrograms.map(({ id, path, version }) => [id, path, version]);
  const at = (id: string, version: string) => [id, join(machine.bin, id), version];
  assert.deepEqual(found, [
    at("claude", "2.1.325"),
    at("codex", "0.166.0"),
    at("codex-acp", "0.16.0"),
    at("opencode", "1.18.33"),
    at("gemini", "0.61.0"),
    at("qwen", "0.24.4"),
    at("copilot", "1.0.102"),
    at("cline", "3.0.65"),
  ]);
});

test("[DETECT-1] what is not there is missing, with the command that installs it", async () => {
  await using machine = await openMachine();
  // Neither a folder nor a link to nothing is a program.
  await mkdir(join(machine.bin, "codex"));
  await symlink(join(machine.bin, "nowhere"), join(machine.bin, "gemini"));
  await using detector = machine.open();
  const { agentPrograms } = await detector.detect(false);
  assert.deepEqual([...new Set(agentPrograms.map(({ state }) => state))], ["missing"]);
  for (const { install, message, path } of agentPrograms) {
    assert.match(install, /^npm install -g \S+$/);
    assert.equal(message, `Not installed: run ${install}.`);
    assert.equal(path, undefined);
  }
});

test("[DETECT-2] the login is read where a command or a file tells it", async () => {
  await using machine = await openMachine();
  await machine.install(
    "claude",
    saying(VERSIONS.claude, `echo '{"loggedIn":true,"authMethod":"claude.ai"}'`),
  );
  await machine.install(
    "codex",
    saying(VERSIONS.codex, `[ "$*" = "login status" ] && echo "Not logged in" >&2; exit 1`),
  );
  await machine.install("opencode", saying(VERSIONS.opencode, 'echo "2 credentials"'));
  await machine.install("gemini", saying(VERSIONS.gemini));
  await machine.install("qwen", saying(VERSIONS.qwen));
  await machine.install("cline", saying(VERSIONS.cline));
  await machine.keep(".cline/data/settings/providers.json", '{"lastUsedProvider":"anthropic"}');
  await using detector = machine.open();
  const first = await detector.detect(false);
  const told = (id: string) => {
    const { state, message } = programIn(first, id);
    return [state, message];
  };
  assert.deepEqual(told("claude"), ["ready", "Ready: logged in with a subscription."]);
  assert.deepEqual(told("codex"), [
    "login-needed",
    "Not logged in: run codex login in a terminal and log in.",
  ]);
  assert.deepEqual(told("opencode"), ["ready", "Ready: logged in."]);
  assert.deepEqual(told("gemini"), [
    "login-needed",
    "Not logged in: run gemini in a terminal and log in, or give it a key (GEMINI_API_KEY).",
  ]);
  assert.equal(programIn(first, "qwen").state, "login-unknown");
  assert.match(programIn(first, "qwen").message, /^Its first turn shows whether it is logged in; /);
  assert.equal(programIn(first, "cline").state, "ready");
  // A provider of one's own needs no login of Codex, and a choice says nothing of its success.
  await machine.keep(".codex/config.toml", 'model = "m"\nmodel_provider = "local"\n');
  await machine.keep(".gemini/settings.json", '{"security":{"auth":{"selectedType":"oauth"}}}');
  const second = await detector.detect(true);
  assert.equal(programIn(second, "codex").state, "login-unknown");
  assert.equal(programIn(second, "gemini").state, "login-unknown");
});

test("[DETECT-2] [DETECT-4] a key that is kept with the server does the same, and no program gets it to tell its login", async () => {
  await using machine = await openMachine();
  await machine.install("gemini", saying(VERSIONS.gemini));
  await machine.install("codex", saying(VERSIONS.codex));
  const kept = new Set<string>();
  await using detector = machine.open({ isKept: (name) => kept.has(name) });
  const before = programIn(await detector.detect(false), "gemini");
  assert.deepEqual([before.state, before.keys], ["login-needed", ["GEMINI_API_KEY"]]);
  kept.add("GEMINI_API_KEY");
  const detection = await detector.detect(false);
  const { state, message, runtime } = programIn(detection, "gemini");
  assert.deepEqual(
    [state, message],
    ["ready", "Ready, with GEMINI_API_KEY that is kept with the server."],
  );
  assert.deepEqual(runtime && "env" in runtime && runtime.env, ["GEMINI_API_KEY"]);
  assert.deepEqual(programIn(detection, "codex").keys, []);
});

test("[DETECT-2] [DETECT-4] a key in the server's environment stands for a login, and is named for its runtime", async () => {
  await using machine = await openMachine({
    GEMINI_API_KEY: "k".repeat(30),
    ANTHROPIC_API_KEY: "",
    CLAUDE_CONFIG_DIR: "/nowhere",
  });
  await machine.install("gemini", saying(VERSIONS.gemini));
  await machine.install("claude", saying(VERSIONS.claude, `echo '{"loggedIn":false}'; exit 1`));
  await using detector = machine.open();
  const detection = await detector.detect(false);
  const { state, message, variables, runtime } = programIn(detection, "gemini");
  assert.deepEqual(
    [state, message],
    ["ready", "Ready, with GEMINI_API_KEY of the server's environment."],
  );
  assert.deepEqual(variables, ["GEMINI_API_KEY"]);
  assert.deepEqual(runtime, {
    type: "acp",
    command: ["gemini", "--acp", "--skip-trust"],
    env: ["GEMINI_API_KEY"],
  });
  const claude = programIn(detection, "claude");
  assert.deepEqual([claude.state, claude.variables], ["login-needed", ["CLAUDE_CONFIG_DIR"]]);
});

test("[DETECT-13] what leads to the network and to a cloud is named where it is set", async () => {
  const network = { HTTPS_PROXY: "http://proxy:3128", no_proxy: "a", NODE_EXTRA_CA_CERTS: "/ca" };
  await using machine = await openMachine({
    ...network,
    CLAUDE_CODE_USE_BEDROCK: "1",
    AWS_REGION: "eu-central-1",
    AWS_SECRET_ACCESS_KEY: "k".repeat(40),
    AWS_PROFILE: "",
  });
  await machine.install("claude", saying(VERSIONS.claude, `echo '{"loggedIn":false}'; exit 1`));
  await machine.install("gemini", saying(VERSIONS.gemini));
  await using detector = machine.open();
  const detection = await detector.detect(false);
  const claude = programIn(detection, "claude");
  assert.equal(claude.state, "login-unknown");
  assert.match(claude.message, /^CLAUDE_CODE_USE_BEDROCK is set: its first turn shows/);
  const cloud = ["CLAUDE_CODE_USE_BEDROCK", "AWS_REGION", "AWS_SECRET_ACCESS_KEY"];
  const all = ["HTTPS_PROXY", "no_proxy", "NODE_EXTRA_CA_CERTS"];
  assert.deepEqual(claude.runtime, { type: "claude-code", env: [...cloud, ...all] });
  assert.deepEqual(programIn(detection, "gemini").variables, all);
});

test("[DETECT-13] [DETECT-9] the keys of Codex's own providers are named, whatever else its file says", async () => {
  const keys = { AZURE_OPENAI_API_KEY: "k", MISTRAL_API_KEY: "k", OLD_API_KEY: "k" };
  await using machine = await openMachine({ ...keys, LD_PRELOAD: "/evil.so" });
  await machine.install("codex", saying(VERSIONS.codex));
  const config = [
    'model_provider = "azure"',
    "[model_providers.azure]",
    'env_key = "AZURE_OPENAI_API_KEY"',
    "model_providers.x = { name = 'x', env_key = 'MISTRAL_API_KEY' }",
    '# env_key = "OLD_API_KEY"',
    'env_key = "UNSET_API_KEY"',
    'env_key = "LD_PRELOAD"',
    "env_key = 5",
    'env_key = "no name',
    "[[[ \0 =",
  ];
  await machine.keep(".codex/config.toml", config.join("\n"));
  await using detector = machine.open();
  const { runtime } = programIn(await detector.detect(false), "codex");
  const env = ["AZURE_OPENAI_API_KEY", "MISTRAL_API_KEY"];
  assert.deepEqual(runtime, { type: "codex", env });
  await machine.keep(".codex/config.toml", "env_key".repeat(500_000));
  assert.deepEqual(programIn(await detector.detect(true), "codex").runtime, { type: "codex" });
});

test("[DETECT-4] the settings of every program are valid", async () => {
  await using machine = await openMachine({ OPENAI_API_KEY: "k" });
  await using detector = machine.open();
  const detection = await detector.detect(false);
  const runtimes = detection.agentPrograms.flatMap(({ id, runtime }) =>
    runtime === undefined ? [] : [[id, runtime]],
  );
  assert.ok(runtimes.length >= 6);
  assert.deepEqual(programIn(detection, "codex").runtime, { type: "codex" });
  assert.ok(Compile(Runtimes).Check(Object.fromEntries(runtimes)));
});

const AGAIN = "in a terminal to see why, or npm install -g @openai/codex.";
const ILL: readonly (readonly [how: string, script: string, state: string, says: RegExp])[] = [
  ["hangs", "sleep 1000", "broken", /^codex --version did not answer within 3 s: run codex --ver/],
  ["ignores the end", "trap '' TERM; sleep 1000", "broken", /did not answer within 3 s/],
  [
    "floods",
    "yes",
    "broken",
    /^codex --version printed too much: check that \S+\/codex is Codex, /,
  ],
  ["prints garbage", "head -c 3000 /dev/urandom | tr -d 0-9", "broken", /told no version: check/],
  ["prints nothing", "true", "broken", /^codex --version told no version: /],
  ["dies", "echo 1.2.3; exit 3", "broken", /^codex --version ended with exit code 3: run /],
  ["is killed", "kill -SEGV $$", "broken", /^codex --version was ended by SIGSEGV: run /],
];

for (const [how, script, state, says] of ILL) {
  test(`[DETECT-3] a program that ${how} gets one sentence, and nothing else is affected`, async () => {
    await using machine = await openMachine();
    await machine.install("codex", script);
    await machine.install("qwen", saying(VERSIONS.qwen));
    await using detector = machine.open({ programTimeoutMs: DEADLINE_MS });
    const detection = await detector.detect(false);
    const { message, ...codex } = programIn(detection, "codex");
    assert.equal(codex.state, state);
    assert.match(message, says);
    assert.ok(message.endsWith(AGAIN), message);
    assert.doesNotMatch(message, /\n|1\.2\.3/);
    assert.equal(programIn(detection, "qwen").version, "0.24.4");
  });
}

test("[DETECT-3] a program that may not be run, cannot be started or is too old says what to do", async () => {
  await using machine = await openMachine();
  const codex = await machine.install("codex", saying(VERSIONS.codex), 0o644);
  await writeFile(join(machine.bin, "qwen"), "#!/nowhere/at/all\n", { mode: 0o755 });
  await machine.install("gemini", saying("0.32.9"));
  await machine.install("claude", saying("10.0.0"));
  await using detector = machine.open();
  const detection = await detector.detect(false);
  const told = (id: string) => [programIn(detection, id).state, programIn(detection, id).message];
  assert.deepEqual(told("codex"), [
    "broken",
    `${codex} is not executable: run chmod +x on it, or npm install -g @openai/codex.`,
  ]);
  assert.equal(told("qwen")[0], "broken");
  assert.match(told("qwen")[1] ?? "", /qwen cannot be started: run qwen --version in a terminal/);
  assert.deepEqual(told("gemini"), [
    "too-old",
    "Version 0.32.9 is too old: run npm install -g @google/gemini-cli@latest to get 0.33.0 or newer.",
  ]);
  // Numbers are compared as numbers.
  assert.equal(programIn(detection, "claude").state, "login-unknown");
});

test("[DETECT-3] a login check that hangs or prints garbage leaves only the login unknown", async () => {
  await using machine = await openMachine();
  await machine.install("claude", saying(VERSIONS.claude, "sleep 1000"));
  await machine.install("codex", saying(VERSIONS.codex, "echo '\\0garbage'"));
  await machine.install("opencode", saying(VERSIONS.opencode, "yes 9 credentials"));
  await using detector = machine.open({ programTimeoutMs: DEADLINE_MS });
  const detection = await detector.detect(false);
  for (const id of ["claude", "codex", "opencode"]) {
    assert.equal(programIn(detection, id).state, "login-unknown", id);
  }
});

test("[DETECT-6] only the questions of the table are asked, without a prompt", async () => {
  await using machine = await openMachine();
  for (const [name, version] of Object.entries(VERSIONS)) {
    const note = `echo "${name} $* [$(cat)]" >> "$HOME/asked"`;
    await machine.install(name, `${note}; ${saying(version)}`);
  }
  await machine.install(
    "codex-acp",
    `read -r line; echo "codex-acp $* [$line]" >> "$HOME/asked"; echo '${HELLO}'; cat`,
  );
  await using detector = machine.open();
  await detector.detect(false);
  const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1,"clientCapabilities":{}}}`;
  assert.deepEqual((await machine.lines("asked")).toSorted(), [
    "claude --version []",
    "claude auth status []",
    "cline --version []",
    "codex --version []",
    "codex login status []",
    `codex-acp  [${hello}]`,
    "copilot --version []",
    "gemini --version []",
    "opencode --version []",
    "opencode auth list []",
    "qwen --version []",
  ]);
});

test("[DETECT-7] a probe gets no key and no more than it needs, in a folder without a project", async () => {
  await using machine = await openMachine({
    LANG: "C.UTF-8",
    USER: "dev",
    CODEX_HOME: "/nowhere",
    OPENAI_API_KEY: "k".repeat(30),
    CODEX_API_KEY: "k".repeat(30),
    SECRET_TOKEN: "s".repeat(30),
    NODE_OPTIONS: "--inspect",
  });
  await machine.install("codex", `pwd > "$HOME/where"; env > "$HOME/env"; echo 0.166.0`);
  await using detector = machine.open();
  await detector.detect(false);
  // What the shell sets by itself is not from us.
  const own = new Set(["PWD", "OLDPWD", "SHLVL", "_"]);
  const names = (await machine.lines("env"))
    .map((line) => line.split("=")[0] ?? "")
    .filter((name) => !own.has(name));
  assert.deepEqual(names.toSorted(), ["CODEX_HOME", "HOME", "LANG", "PATH", "USER"]);
  assert.deepEqual(await machine.lines("where"), ["/"]);
});

test("[DETECT-7] whatever a program has started ends with its probe", async () => {
  await using machine = await openMachine();
  const child = `sleep 1000 & echo $! >> "$HOME/pids"; echo $$ >> "$HOME/pids"`;
  await machine.install("codex", `trap '' TERM; ${child}; wait`);
  await machine.install("gemini", `${child}; echo 0.61.0`);
  await machine.install("codex-acp", `${child}; read line; echo '${HELLO}'; wait`);
  await using detector = machine.open({ programTimeoutMs: DEADLINE_MS });
  const detection = await detector.detect(false);
  assert.equal(programIn(detection, "gemini").version, "0.61.0");
  assert.equal(programIn(detection, "codex-acp").version, "0.16.0");
  const pids = (await machine.lines("pids")).map(Number);
  assert.equal(pids.length, 6);
  await gone(pids);
});

test("[DETECT-7] programs that are being asked end with the server", async () => {
  await using machine = await openMachine();
  await machine.install("codex", `echo $$ > "$HOME/pid"; sleep 1000`);
  const detector = machine.open({ programTimeoutMs: 600_000 });
  const asked = detector.detect(false);
  while ((await machine.lines("pid")).length === 0) await new Promise(setImmediate);
  await detector[Symbol.asyncDispose]();
  assert.equal(programIn(await asked, "codex").state, "broken");
  await gone((await machine.lines("pid")).map(Number));
});

test("[DETECT-9] nothing that a program prints or keeps is told but its version and the way it is logged in", async () => {
  await using machine = await openMachine();
  const key = "sk-ant-0123456789abcdefghijklmnop";
  const status = { loggedIn: true, authMethod: key, email: "dev@example.com", orgName: key };
  await machine.install(
    "claude",
    saying(`${key} 2.1.325 dev@example.com`, `echo '${JSON.stringify(status)}'`),
  );
  await machine.install("codex", saying(VERSIONS.codex, `echo "API key configured - ${key}" >&2`));
  await machine.install("gemini", `echo ${key}; echo ${key} >&2; exit 9`);
  await machine.install("cline", saying(VERSIONS.cline));
  await machine.keep(
    ".cline/data/settings/providers.json",
    JSON.stringify({ lastUsedProvider: key, apiKey: key }),
  );
  await using detector = machine.open();
  const detection = await detector.detect(false);
  assert.equal(programIn(detection, "claude").message, "Ready: logged in.");
  assert.equal(programIn(detection, "codex").message, "Ready: logged in with an API key.");
  assert.equal(programIn(detection, "cline").message, "Ready: logged in.");
  assert.doesNotMatch(JSON.stringify(detection), /sk-ant|example\.com/);
});
