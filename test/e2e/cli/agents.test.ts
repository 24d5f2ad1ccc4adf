/** `atrium agents` and what `atrium doctor` says of the agents of the machine. */
import assert from "node:assert/strict";
import { chmod, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli, type CliResult } from "../../kit/cli-process.ts";
import { makeSkill } from "../../kit/tides/tides.ts";

const KEY = "key-0123456789abcdefghijklmnop";

async function openFolder(programs: Readonly<Record<string, string>>) {
  const folder = await mkdtempDisposable(join(tmpdir(), "atrium-found-"));
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(folder.path, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder.path, name), 0o755);
  }
  return folder;
}

test("[CLI-41] agents lists what was found with what to do, and who uses which runtime", async () => {
  await using folder = await openFolder({
    gemini: "echo 0.61.0",
    claude: `echo 2.1.325; [ -e "$HOME/dies" ] && exit 1 || exit 0`,
    codex: "printf '\\033[31mred\\n'; exit 1",
  });
  await using atrium = await openTestAtrium({
    env: { PATH: folder.path, HOME: folder.path, GEMINI_API_KEY: KEY },
    settings: {
      runtimes: { act: { type: "rehearsal", pace: 0 } },
      agents: [
        { id: "agent_bd", name: "BD", role: "front desk", runtime: "act" },
        { id: "agent_eng_1", name: "Eng 1", role: "engineer" },
      ],
    },
  });
  const at = ["--url", atrium.url, "--token", atrium.token];
  const agents = (...flags: readonly string[]): Promise<CliResult> =>
    runCli(["agents", ...flags, ...at]);
  const { code, stdout, stderr } = await agents();
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^Agent programs\n/);
  assert.match(
    stdout,
    /^ {2}Gemini CLI +0\.61\.0 +ready +Ready, with GEMINI_API_KEY of the server/m,
  );
  assert.match(stdout, /^ {2}Claude Code +2\.1\.325 +login-unknown +Its first turn shows /m);
  assert.match(stdout, /^ {2}Codex +broken +codex --version ended with exit code 1: run /m);
  assert.match(stdout, /^ {2}opencode +missing +Not installed: run npm install -g opencode-ai\.$/m);
  assert.match(stdout, /\nModel servers\n {2}Ollama +/);
  assert.match(stdout, /\nThe crew\n {2}main +BD +act +\S+\n {2}eng_1 +Eng 1 +rehearsal +\S+\n$/);
  assert.doesNotMatch(stdout, new RegExp(`${KEY}|\\u001b`));

  await writeFile(join(folder.path, "dies"), "");
  const states = async (...flags: readonly string[]) => {
    const { agentPrograms, crew } = JSON.parse((await agents("--json", ...flags)).stdout);
    assert.deepEqual(crew[0], { id: "main", name: "BD", runtime: "act", model: crew[0].model });
    return agentPrograms.find(({ id }: { readonly id: string }) => id === "claude").state;
  };
  assert.equal(await states(), "login-unknown");
  assert.equal(await states("--refresh"), "broken");
  assert.deepEqual(atrium.faults, []);
});

test("[CLI-41] doctor names what was found, and is content where nothing is", async () => {
  await using folder = await openFolder({ gemini: "echo 0.61.0", qwen: "exit 1" });
  const found = async (env: Readonly<Record<string, string>>) => {
    await using atrium = await openTestAtrium({ env });
    const args = ["doctor", "--json", "--url", atrium.url, "--token", atrium.token];
    const { ok, findings } = JSON.parse((await runCli(args)).stdout);
    assert.equal(ok, true);
    return findings.find(({ about }: { readonly about: string }) => about === "found");
  };
  const well = await found({ PATH: folder.path, GEMINI_API_KEY: KEY });
  assert.match(well.says, /^Gemini CLI 0\.61\.0, Qwen Code \(broken\)/);
  assert.equal(well.state, "ok");
  const ill = await found({ PATH: folder.path, HOME: folder.path });
  assert.match(ill.says, /^Gemini CLI 0\.61\.0 \(login-needed\), Qwen Code \(broken\)/);
  // Whatever model servers this machine has.
  assert.doesNotMatch((await found({ PATH: "/nowhere" })).says, /Gemini|Qwen/);
});

test("[CLI-41] agents shows what each brings along, and what of a repository's it cannot be given", async () => {
  await using folder = await openFolder({});
  const skill = makeSkill(folder.path);
  await using atrium = await openTestAtrium({
    env: { PATH: folder.path, HOME: folder.path },
    settings: {
      runtimes: { script: { type: "command", command: ["/bin/cat"] } },
      agents: [
        { id: "agent_bd", name: "BD", role: "front desk" },
        {
          id: "agent_eng_1",
          name: "Eng 1",
          role: "engineer",
          runtime: "script",
          mcpServers: { tides: { command: "tides-mcp", args: ["--key", KEY] } },
          skills: [skill],
        },
      ],
      repositories: { shop: { path: ".", mcpServers: { docs: { command: "docs-mcp" } } } },
    },
  });
  const { stdout } = await runCli(["agents", "--url", atrium.url, "--token", atrium.token]);
  assert.match(stdout, /\n {2}main +BD +rehearsal +\S+ +takes no MCP servers\n/);
  assert.match(stdout, /\n {2}eng_1 .* MCP servers: tides; skills: tide-tables\n$/);
  assert.doesNotMatch(stdout, new RegExp(KEY));
});
