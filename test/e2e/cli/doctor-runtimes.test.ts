/** `atrium doctor` and what drives the agents: well, absent, or ill in known ways. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { openTestAtrium } from "../../kit/atrium.ts";
import { runCli } from "../../kit/cli-process.ts";
import { startedWith } from "../../kit/processes.ts";
import { startServer, withHome } from "../../kit/server-process.ts";

const ACP_AGENT = fileURLToPath(new URL("../../kit/acp-agent.ts", import.meta.url));

interface Finding {
  readonly about: string;
  readonly state: string;
  readonly says: string;
  readonly advice?: string;
}

type Line = readonly [string, string, string];

/** What doctor says of these runtimes: state, what it says, what to do. */
async function examine(
  home: string,
  runtimes: object,
  env: Record<string, string> = {},
  more: object = {},
): Promise<Record<string, Line>> {
  await writeFile(join(home, "atrium.config.json"), JSON.stringify({ runtimes, ...more }));
  const { code, stdout, stderr } = await runCli(["doctor", "--json", "--home", home], {
    cwd: home,
    env,
  });
  assert.equal(stderr, "");
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  assert.equal(code, ok ? 0 : 1);
  return Object.fromEntries(
    findings
      .filter(({ about }) => /^(?:runtime|repository) /.test(about))
      .map(({ about, state, says, advice = "" }) => {
        return [about.replace(/^runtime /, ""), [state, says, advice]];
      }),
  );
}

function matches(line: Line | undefined, state: string, says: RegExp, advice = /^/): void {
  assert.ok(line !== undefined);
  assert.equal(line[0], state, line.join(" | "));
  assert.match(line[1], says);
  assert.match(line[2], advice);
}

test("[CLI-24] a model's address, key and name are looked at", async () => {
  const api = createServer((request, response) => {
    const { authorization } = request.headers;
    if (authorization !== undefined && authorization !== "Bearer sk-right") {
      return void response.writeHead(401).end();
    }
    response.end(JSON.stringify({ data: [{ id: "qwen" }] }));
  });
  await once(api.listen(0, "127.0.0.1"), "listening");
  const { port } = api.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const model = { type: "model", provider: "openai-compatible", baseUrl, model: "qwen" };
  try {
    await withHome(async (home) => {
      const found = await examine(
        home,
        {
          good: { ...model, apiKeyEnv: "RIGHT" },
          other: { ...model, model: "llama" },
          locked: { ...model, apiKeyEnv: "WRONG" },
          keyless: { ...model, apiKeyEnv: "NOWHERE" },
          away: { ...model, baseUrl: "http://127.0.0.1:1/v1" },
        },
        { RIGHT: "sk-right", WRONG: "sk-wrong" },
      );
      matches(found["good"], "ok", /^qwen at http/);
      matches(found["other"], "note", /does not list llama/, /qwen/);
      matches(found["locked"], "broken", /does not accept the key \(401\)/, /into WRONG/);
      matches(found["keyless"], "broken", /variable NOWHERE is not set/, /NOWHERE=… atrium up/);
      matches(found["away"], "broken", /does not answer: /, /Check the address/);
      assert.ok(!JSON.stringify(found).includes("sk-"));
    });
  } finally {
    api.closeAllConnections();
    api.close();
  }
});

test("[CLI-25] no password or query of an address and no argument of a command is printed", async () => {
  await withHome(async (home) => {
    const secret = "very-secret";
    const model = { type: "model", provider: "openai-compatible", model: "qwen" };
    const found = await examine(
      home,
      {
        model: { ...model, baseUrl: `http://me:${secret}@127.0.0.1:1/v1?key=${secret}` },
        upstream: { type: "openclaw", url: `ws://me:${secret}@127.0.0.1:1/?token=${secret}` },
        mute: { type: "acp", command: ["sh", "-c", `: ${secret}; echo hello there`] },
      },
      {},
    );
    matches(found["model"], "broken", /http:\/\/127\.0\.0\.1:1\/v1 does not answer/);
    matches(found["upstream"], "broken", /ws:\/\/127\.0\.0\.1:1 does not answer/);
    matches(found["mute"], "broken", /does not speak ACP/);
    assert.ok(!JSON.stringify(found).includes(secret), JSON.stringify(found));
  });
});

test("[CLI-24] programs are found, or it is said what is missing", async () => {
  await withHome(async (home) => {
    await writeFile(join(home, "agent.sh"), "#!/bin/sh\ntouch was-run\n");
    await writeFile(join(home, "claude"), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n");
    await writeFile(join(home, "broken-claude"), "#!/bin/sh\necho no library >&2; exit 3\n");
    await writeFile(join(home, "codex"), "#!/bin/sh\necho codex-cli 0.166.0\n");
    for (const name of ["claude", "broken-claude", "codex"]) await chmod(join(home, name), 0o755);
    const script = { type: "command", command: ["./agent.sh"] };
    const acp = { type: "acp", command: [process.execPath, ACP_AGENT] };
    const mark = { MARK: home, MARK_2: "short", BRIDGE_SECRET: "x".repeat(16) };
    const ask = () =>
      examine(
        home,
        {
          script,
          astray: { ...script, cwd: "nowhere" },
          gone: { ...script, command: ["no-such-program"] },
          acp: { ...acp, env: ["MARK"] },
          mute: { type: "acp", command: ["sh", "-c", "echo hello there"] },
          claude: { type: "claude-code", command: "./claude" },
          sick: { type: "claude-code", command: "./broken-claude" },
          none: { type: "claude-code", command: "./clod" },
          codex: { type: "codex", command: "./codex" },
          bridged: { type: "claude-code", transport: "bridge", command: "./broken-claude" },
          byHand: { type: "claude-code", transport: "bridge", tokenEnv: "BRIDGE_SECRET" },
          short: { type: "claude-code", transport: "bridge", tokenEnv: "MARK_2" },
          unknown: { type: "oracle" },
          rehearsal: { type: "rehearsal" },
        },
        mark,
      );
    const found = await ask();
    matches(found["script"], "broken", /agent\.sh is not executable/, /^chmod \+x \/.*agent\.sh$/);
    matches(found["astray"], "broken", /folder not found: .*nowhere/, /mkdir -p/);
    matches(found["gone"], "broken", /program not found: no-such-program/, /Install it/);
    matches(found["acp"], "ok", /node, ACP 1$/);
    matches(
      found["mute"],
      "broken",
      /does not speak ACP: hello there/,
      /Run the command from the settings/,
    );
    matches(found["claude"], "ok", /claude, 2\.1\.325 \(Claude Code\)$/);
    matches(found["sick"], "broken", /it exited with 3: no library/, /--version$/);
    matches(found["none"], "broken", /program not found: \.\/clod/, /change command/);
    matches(found["codex"], "ok", /codex, codex-cli 0\.166\.0$/);
    matches(found["bridged"], "ok", /broken-claude, over the bridge$/);
    matches(found["byHand"], "ok", /you start, with the secret in BRIDGE_SECRET$/);
    matches(found["short"], "broken", /MARK_2 does not hold a secret/, /openssl rand -hex 32/);
    matches(found["unknown"], "broken", /unknown type "oracle"/, /docs\/agents\.md/);
    matches(found["rehearsal"], "ok", /built in/);
    assert.deepEqual(startedWith(`MARK=${home}`), []);
    await chmod(join(home, "agent.sh"), 0o755);
    await mkdir(join(home, "nowhere"));
    const repaired = await ask();
    matches(repaired["script"], "ok", /agent\.sh$/);
    matches(repaired["astray"], "broken", /program not found/);
    for (const folder of [home, process.cwd()]) {
      assert.equal(existsSync(join(folder, "was-run")), false, "it is looked for, not run");
    }
  });
});

test("[CLI-24] a gateway is knocked at", async () => {
  await using atrium = await openTestAtrium();
  const stranger = createServer((_request, response) => response.end("hello"));
  await once(stranger.listen(0, "127.0.0.1"), "listening");
  const { port } = stranger.address() as AddressInfo;
  const claw = { type: "openclaw", url: atrium.wsUrl };
  try {
    await withHome(async (home) => {
      const found = await examine(
        home,
        {
          good: { ...claw, tokenEnv: "RIGHT" },
          locked: { ...claw, tokenEnv: "WRONG" },
          bare: claw,
          keyless: { ...claw, tokenEnv: "NOWHERE" },
          away: { ...claw, url: "ws://127.0.0.1:1" },
          stranger: { ...claw, url: `ws://127.0.0.1:${port}` },
        },
        { RIGHT: atrium.token, WRONG: "wrong" },
      );
      matches(found["good"], "ok", /version 0\.0\.0-test$/);
      matches(found["locked"], "broken", /rejected the connection: .*token/, /into WRONG/);
      matches(found["bare"], "broken", /rejected the connection/, /name that in tokenEnv/);
      matches(found["keyless"], "broken", /NOWHERE is not set/);
      matches(found["away"], "broken", /does not answer/);
      matches(found["stranger"], "broken", /does not answer/);
      assert.ok(!JSON.stringify(found).includes(atrium.token));
    });
  } finally {
    stranger.closeAllConnections();
    stranger.close();
  }
});

test("[CLI-24] a variable that only the running server has is no fault", async () => {
  await withHome(async (home) => {
    await using _server = await startServer(home);
    const model = { type: "model", provider: "anthropic", model: "m", apiKeyEnv: "NOWHERE" };
    const found = await examine(home, { model });
    matches(found["model"], "note", /not set here; the running server may have it/);
  });
});

test("[CLI-43] MCP servers are looked at and not started", async () => {
  await withHome(async (home) => {
    const touched = join(home, "touched");
    const mcpServers = {
      here: { command: "touch", args: [touched], env: ["SET"] },
      away: { command: "no-such-program" },
      unset: { command: "ls", env: ["NOT_SET"] },
      remote: { url: "https://docs.example/mcp?key=secret", headersEnv: { Authorization: "SET" } },
      locked: { url: "https://docs.example/mcp", headersEnv: { Authorization: "NOT_SET" } },
    };
    const claude = { type: "claude-code", command: "ls", mcpServers };
    const found = await examine(home, { claude }, { SET: "a-secret-value" });
    const of = (name: string): Line | undefined => found[`claude, MCP server ${name}`];
    matches(of("here"), "ok", /touch/);
    matches(of("away"), "broken", /program not found: no-such-program/, /Install it/);
    matches(of("unset"), "broken", /NOT_SET is not set/, /NOT_SET=… atrium up/);
    matches(of("remote"), "ok", /docs\.example/);
    matches(of("locked"), "broken", /NOT_SET is not set/);
    assert.ok(!existsSync(touched));
    const repositories = { shop: { path: ".", mcpServers: { away: mcpServers.away } } };
    const brought = await examine(home, {}, {}, { repositories });
    matches(brought["repository shop, MCP server away"], "broken", /program not found/);
    assert.doesNotMatch(JSON.stringify(found), /key=secret|a-secret-value/);
  });
});
