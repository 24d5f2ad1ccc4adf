/** `atrium config`, `connect` and `crew`: settings from the command line. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { runCli, type CliResult } from "../../kit/cli-process.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { askSettings, patchSettings, readFileOf } from "../../kit/settings.ts";

const KEY = "key-0123456789abcdefghijklmnop";
const ACP_AGENT = fileURLToPath(new URL("../../kit/acp-agent.ts", import.meta.url));

function cliOf({ url, token }: TestAtrium) {
  return (words: readonly string[], input?: string): Promise<CliResult> =>
    runCli([...words, "--url", url, "--token", token], input === undefined ? {} : { input });
}

test("[CLI-50] a setting is shown, changed and removed by its path", async () => {
  await using atrium = await openTestAtrium();
  const cli = cliOf(atrium);
  const set = await cli(["config", "set", "budgets.run.cost", "2.5"]);
  assert.deepEqual([set.code, set.stderr], [0, ""]);
  assert.match(
    set.stdout,
    /^Changed: budgets\. In effect now, and in \S+atrium\.config\.json\.\n$/,
  );
  assert.equal((await cli(["config", "get", "budgets.run.cost"])).stdout, "2.5\n");
  assert.equal((await cli(["config", "get", "agents.agent_eng_1.name"])).stdout, "Eng 1\n");
  assert.match((await cli(["config", "unset", "budgets.run.cost"])).stdout, /^Changed/);
  assert.match((await cli(["config", "unset", "budgets.run.cost"])).stdout, /^Nothing to change/);
  assert.deepEqual(JSON.parse(await readFileOf(atrium)), { budgets: { run: {} } });
  const fixed = await cli(["config", "set", "auth", "none"]);
  assert.equal(fixed.code, 1);
  assert.match(fixed.stderr, /auth: write it in \S+ and restart the server/);
  assert.match((await cli(["config", "get", "constructor"])).stderr, /no setting constructor/);
});

test("[CLI-50] a key comes from standard input and is said nowhere", async () => {
  await using atrium = await openTestAtrium();
  const cli = cliOf(atrium);
  const kept = await cli(["config", "keep-key", "MY_API_KEY"], `${KEY}\n`);
  assert.deepEqual([kept.code, kept.stderr], [0, ""]);
  const { keys } = (await askSettings(atrium, "GET")).body;
  assert.deepEqual(keys, [{ name: "MY_API_KEY", source: "kept" }]);
  const wrong = await cli(["config", "keep-key", "MY_API_KEY", KEY], "");
  assert.notEqual(wrong.code, 0);
  for (const { stdout, stderr } of [kept, wrong]) assert.ok(!`${stdout}${stderr}`.includes(KEY));
  assert.equal((await cli(["config", "remove-key", "MY_API_KEY"])).code, 0);
});

test("[CLI-51] an agent that was found works for the crew after one command, and a test turn shows it", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-connect-"));
  const program = join(folder.path, "gemini");
  const script = `#!/bin/sh\n[ "$1" = --version ] && echo 0.61.0 && exit\nexec ${process.execPath} ${ACP_AGENT}\n`;
  await writeFile(program, script);
  await chmod(program, 0o755);
  await using atrium = await openTestAtrium({
    env: { PATH: folder.path, HOME: folder.path, GEMINI_API_KEY: KEY },
  });
  const cli = cliOf(atrium);
  const none = await cli(["connect", "codex"]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /Codex cannot be connected\. Not installed: run npm install/);
  assert.match((await cli(["connect", "nobody"])).stderr, /nobody is not known here/);
  const flags = ["--permissions", "ask", "--budget", "1.5", "--test"];
  const done = await cli(["connect", "gemini", ...flags]);
  assert.equal(done.code, 0, `${done.stdout}${done.stderr}`);
  assert.match(done.stdout, /Changed: runtimes\.gemini, crewRuntime, /);
  assert.match(done.stdout, /The test turn is one short message/);
  const scope = /--permissions holds where agents work on a copy of a repository/;
  assert.match(done.stdout, scope);
  const { values } = (await askSettings(atrium, "GET")).body;
  assert.deepEqual([values.crewRuntime, values.budgets.run.cost], ["gemini", 1.5]);
  const crew = values.crew as { runtime: string; permissions: string }[];
  assert.ok(
    crew.every(({ runtime, permissions }) => runtime === "gemini" && permissions === "ask"),
  );
  const one = await cli(["connect", "gemini", "--agent", "eng_1", "--tokens", "9000"]);
  assert.equal(one.code, 0, one.stderr);
  assert.doesNotMatch(one.stdout, scope);
  const { crew: after } = (await askSettings(atrium, "GET")).body.values;
  const eng = (after as { id: string; limits?: object }[]).find(({ id }) => id === "agent_eng_1");
  assert.deepEqual(eng?.limits, { run: { tokens: 9000 } });
  const added = { runtimes: { gemini: { env: ["MY_OWN"] } } };
  await patchSettings(atrium, added, { unitePaths: ["runtimes.gemini.env"] });
  const back = ["connect", "gemini", "--agent", "eng_1", "--permissions", "sandbox"];
  assert.match((await cli(back)).stdout, /agents\.agent_eng_1/);
  const file = JSON.parse(await readFileOf(atrium)) as {
    runtimes: { gemini: { env: readonly string[] } };
    agents: { id: string; permissions?: string }[];
  };
  assert.ok(file.runtimes.gemini.env.includes("MY_OWN"), "what people added stays");
  const inFile = file.agents.find(({ id }) => id === "agent_eng_1");
  assert.equal(inFile?.permissions, "sandbox");
  assert.deepEqual(atrium.faults, []);
});

test("[CLI-51] for a program that asks about no single tool it says what --permissions means", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-connect-"));
  await writeFile(join(folder.path, "cline"), "#!/bin/sh\necho 3.0.65\n");
  await chmod(join(folder.path, "cline"), 0o755);
  const kept = join(folder.path, ".cline/data/settings");
  await mkdir(kept, { recursive: true });
  await writeFile(join(kept, "providers.json"), '{"lastUsedProvider":"anthropic"}');
  await using atrium = await openTestAtrium({ env: { PATH: folder.path, HOME: folder.path } });
  const cli = cliOf(atrium);
  for (const [permissions, isTold] of [
    ["ask", true],
    ["edit", true],
    ["sandbox", false],
  ] as const) {
    const { code, stdout, stderr } = await cli(["connect", "cline", "--permissions", permissions]);
    assert.equal(code, 0, stderr);
    assert.equal(stdout.includes("asked once before each of its turns"), isTold, stdout);
  }
});

test("[CLI-51] a program that is not logged in is connected with a key, which is read from standard input", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-connect-"));
  const version = `[ "$1" = --version ] && echo 0.61.0 && exit`;
  const script = `#!/bin/sh\n${version}\nexec ${process.execPath} ${ACP_AGENT}\n`;
  await writeFile(join(folder.path, "gemini"), script);
  await chmod(join(folder.path, "gemini"), 0o755);
  await using atrium = await openTestAtrium({ env: { PATH: folder.path, HOME: folder.path } });
  const cli = cliOf(atrium);
  const without = await cli(["connect", "gemini"]);
  assert.match(without.stderr, /Gemini CLI cannot be connected\. Not logged in/);
  const other = await cli(["connect", "gemini", "--key", "OPENAI_API_KEY"], KEY);
  assert.match(other.stderr, /Gemini CLI takes a key in GEMINI_API_KEY\./);
  const done = await cli(["connect", "gemini", "--key", "GEMINI_API_KEY"], `${KEY}\n`);
  assert.equal(done.code, 0, `${done.stdout}${done.stderr}`);
  const { values, keys } = (await askSettings(atrium, "GET")).body;
  assert.equal(values.crewRuntime, "gemini");
  assert.deepEqual(keys, [{ name: "GEMINI_API_KEY", source: "kept" }]);
  const { runtimes } = JSON.parse(await readFileOf(atrium)) as {
    runtimes: { gemini: { env: readonly string[] } };
  };
  assert.deepEqual(runtimes.gemini.env, ["GEMINI_API_KEY"]);
  const found = await cli(["agents"]);
  assert.match(found.stdout, /Ready, with GEMINI_API_KEY that is kept with the server\./);
  for (const { stdout, stderr } of [without, other, done, found]) {
    assert.ok(!`${stdout}${stderr}`.includes(KEY));
  }
});

test("[CLI-51] [PAGE-23] of a model server one of its models is chosen, and stays until another is", async (t) => {
  const models = ["nomic-embed-text", "qwen3:8b", "gemma3:4b"];
  const usage = { inputTokens: 100, outputTokens: 20 };
  await using model = await openModelServer(() => ({ type: "answer", chunks: ["ready"], usage }));
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      response.writeHead(307, { location: `${model.baseUrl}/chat/completions` }).end();
    } else response.end(JSON.stringify({ object: "list", data: models.map((id) => ({ id })) }));
  });
  // Where LM Studio listens; whoever has one has the place taken.
  const isThere = await new Promise((resolve) => {
    server.once("error", () => resolve(false)).listen(1234, "127.0.0.1", () => resolve(true));
  });
  if (isThere !== true) return t.skip("port 1234 is taken");
  await using _closing = { [Symbol.asyncDispose]: async () => void server.close() };
  await using atrium = await openTestAtrium();
  const cli = cliOf(atrium);
  const modelNow = async (): Promise<string> =>
    (await askSettings(atrium, "GET")).body.values.runtimes["lm-studio"].model;
  assert.equal((await cli(["connect", "lm-studio"])).code, 0);
  assert.equal(await modelNow(), "qwen3:8b");
  const unknown = await cli(["connect", "lm-studio", "--model", "gpt"]);
  assert.match(unknown.stderr, /LM Studio has no model gpt\. It has: nomic-embed-text, qwen3:8b, /);
  assert.equal((await cli(["connect", "lm-studio", "--model", "gemma3:4b"])).code, 0);
  assert.equal(await modelNow(), "gemma3:4b");
  assert.equal((await cli(["connect", "lm-studio"])).code, 0);
  assert.equal(await modelNow(), "gemma3:4b", "connecting again keeps it");
  const free = await cli(["connect", "lm-studio", "--test"]);
  assert.match(free.stderr, /It took [\d,]+ tokens, cost unknown\.$/m);
  const price = { inputPerMillion: 1_000, outputPerMillion: 5_000 };
  await patchSettings(atrium, { runtimes: { "lm-studio": { price } } });
  const priced = await cli(["connect", "lm-studio", "--test"]);
  assert.match(priced.stderr, /It took [\d,]+ tokens, \$0\.20\.$/m);
});

test("[CLI-52] a member is added, renamed, given a role, and removed", async () => {
  await using atrium = await openTestAtrium();
  const cli = cliOf(atrium);
  const added = await cli(["crew", "add", "ops", "Olga", "--role", "operator", "--desk", "8"]);
  assert.equal(added.code, 0, added.stderr);
  assert.equal((await cli(["crew", "rename", "eng_1", "Ada"])).code, 0);
  assert.equal((await cli(["crew", "role", "agent_eng_1", "tester"])).code, 0);
  assert.equal((await cli(["crew", "desk", "eng_1", "3"])).code, 0);
  assert.equal((await cli(["crew", "look", "eng_1", "7"])).code, 0);
  assert.equal((await cli(["crew", "look", "ops", "12"])).code, 0);
  assert.equal((await cli(["crew", "look", "ops", "own"])).code, 0);
  assert.match((await cli(["crew", "desk", "eng_1", "x"])).stderr, /desk/);
  assert.equal((await cli(["crew", "remove", "writer_1"])).code, 0);
  assert.match(
    (await cli(["crew", "rename", "nobody", "N"])).stderr,
    /Nobody of the crew is called/,
  );
  const { values } = (await askSettings(atrium, "GET")).body;
  const crew = values.crew as Record<string, unknown>[];
  const byId = new Map(crew.map((member) => [member["id"], member]));
  const { desk, look } = byId.get("agent_ops") ?? {};
  assert.deepEqual([desk, look], [8, undefined]);
  const ada = byId.get("agent_eng_1") ?? {};
  const { name, role } = ada;
  assert.deepEqual([name, role, ada["desk"], ada["look"]], ["Ada", "tester", 3, 7]);
  assert.ok(!byId.has("agent_writer_1"));
});
