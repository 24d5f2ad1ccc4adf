import assert from "node:assert/strict";
import { mkdtempDisposableSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { acpPrompt } from "../../../../test/kit/acp-agent.ts";
import { openModelServer } from "../../../../test/kit/model-server/model-server.ts";
import {
  makeSkill,
  SKILL_NAME,
  SKILL_PURPOSE,
  tidesServer,
} from "../../../../test/kit/tides/tides.ts";
import { createRuntimes } from "./runtimes.ts";
import type { PlacedSettings } from "./settings/brought-settings.ts";
import { createTestHost, type TestHostOptions } from "./testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "./testing/turns.ts";
import type { AgentRuntime, TurnEvent } from "./turn/agent-runtime.ts";

const AGENT = join(import.meta.dirname, "../../../../test/kit/acp-agent.ts");
const SECRET = "sk-tides-0123456789";
const ENV: Readonly<Record<string, string>> = {
  PATH: process.env["PATH"] ?? "",
  TIDES_KEY: SECRET,
  OTHER_KEY: "sk-other-0123456789",
};
const TIDES = { ...tidesServer(), env: ["TIDES_KEY"] };

async function make(settings: PlacedSettings): Promise<AgentRuntime> {
  const made = await createRuntimes({ one: settings }, (name) => ENV[name]);
  const runtime = made.get("one");
  assert.ok(runtime !== undefined);
  return runtime;
}

function play(
  runtime: AgentRuntime,
  prompt: string,
  options: TestHostOptions = {},
): Promise<TurnEvent[]> {
  const host = createTestHost({ speed: 1, requestPermission: async () => "allowed", ...options });
  return eventsOf(runtime, turnOf(prompt), host);
}

test("[MCP-6] a server has its own variables, and a model is not told their values", async () => {
  await using model = await openModelServer();
  const call = (name: string) =>
    ({ type: "answer", toolCalls: [{ name: `mcp__tides__${name}`, input: {} }] }) as const;
  model.queue.push(call("environment"), call("tide"), { type: "answer", chunks: ["Done."] });
  const runtime = await make({
    type: "model",
    provider: "openai-compatible",
    baseUrl: model.baseUrl,
    model: "m",
    mcpServers: { tides: TIDES },
  });
  const events = await play(runtime, "When is high water?");
  const results = events.flatMap((event) => (event.type === "tool.returned" ? [event.text] : []));
  const given = Object.keys(JSON.parse(results[0] ?? "{}") as object);
  assert.deepEqual(given.toSorted(), ["PATH", "TIDES_KEY"]);
  assert.match(results[1] ?? "", /Key: (?!sk)\S/);
  const everything = JSON.stringify([events, model.requests.map(({ body }) => body)]);
  assert.doesNotMatch(everything, /sk-tides-01|sk-other/);
});

test("[MCP-6] what a server says as it fails has no secret in it", async () => {
  await using model = await openModelServer();
  const runtime = await make({
    type: "model",
    provider: "openai-compatible",
    baseUrl: model.baseUrl,
    model: "m",
    mcpServers: {
      tides: { command: "sh", args: ["-c", "echo no $TIDES_KEY >&2; exit 1"], env: ["TIDES_KEY"] },
    },
  });
  const said = textIn(await play(runtime, "Hello"));
  assert.match(said, /The MCP server "tides" ended: .*exit code 1/);
  assert.doesNotMatch(said, /sk-tides-01/);
});

test("[MCP-1] a command agent has the tools too, and is told of its skills", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-brought-"));
  const script = [
    "read -r turn <&3",
    `echo '{"type":"tool","id":"1","name":"mcp__tides__tide","input":{"at":"Brest"}}'`,
    "read -r answer <&3",
    'printf "%s\\n%s\\n%s\\n" "$turn" "$answer" "$ATRIUM_SKILLS"',
  ].join("\n");
  const runtime = await make({
    type: "command",
    command: ["sh", "-c", script],
    mcpServers: { tides: tidesServer() },
    skills: [makeSkill(folder.path)],
  });
  const said = textIn(await play(runtime, "Hello"));
  assert.match(said, /High water at Brest: 6:13/);
  assert.ok(said.includes(SKILL_PURPOSE) && said.includes("read_skill"), said);
  assert.match(said, new RegExp(`/${SKILL_NAME}\\n`));
});

for (const program of ["copilot", "gemini"] as const) {
  test(`[MCP-9] ${program} has the tools of a server that is a program from us`, async () => {
    const runtime = await make({
      type: "acp",
      command: [process.execPath, AGENT, "http"],
      program,
      mcpServers: { tides: tidesServer(), remote: { url: "http://127.0.0.1:9/mcp" } },
    });
    const told = textIn(
      await play(runtime, acpPrompt({ tell: "tools" }, { tell: "tool servers" })),
    );
    await runtime.close?.();
    assert.match(told, /mcp__tides__tide/);
    assert.match(told, /remote/);
    assert.doesNotMatch(told, /tides-mcp/);
  });
}

test("[AGENT-29] an ACP program without a way of its own reads a skill with our tool", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-brought-"));
  const runtime = await make({
    type: "acp",
    command: [process.execPath, AGENT, "http"],
    program: "gemini",
    skills: [makeSkill(folder.path)],
  });
  const steps = [
    { echo: "prompt" },
    { useTool: "read_skill", input: { name: SKILL_NAME } },
  ] as const;
  const said = textIn(await play(runtime, acpPrompt(...steps)));
  await runtime.close?.();
  assert.ok(said.includes(SKILL_PURPOSE), said);
  assert.match(said, /Always say NEAP-AND-SPRING/);
});
