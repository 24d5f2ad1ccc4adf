/** opencode, as it comes from npm, over ACP. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createAcpRuntime } from "../../../apps/server/src/agents/acp/acp.ts";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import {
  openSandbox,
  skipWithoutSandbox,
} from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import {
  acpRuntime,
  openAgentStage,
  openChatModel,
  USAGE,
  type AgentProgram,
} from "../kit/agent-stage.ts";
import { findAgentProgram } from "../kit/peer.ts";

/** The program itself: its installer, which we do not run, would put it in the place of a stub. */
function opencode(folder: string): AgentProgram {
  const program = `../opencode-${process.platform}-${process.arch}/bin/opencode`;
  return {
    name: "opencode",
    createRuntime: acpRuntime("opencode"),
    command: [join(folder, program), "acp"],
    async openModel(answer, home) {
      const model = await openChatModel(answer);
      const options = { baseURL: model.baseUrl, apiKey: "sk-not-a-key" };
      const settings = {
        model: "fake/test-model",
        small_model: "fake/test-model",
        autoupdate: false,
        share: "disabled",
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            options,
            models: { "test-model": { name: "test-model", tool_call: true } },
          },
        },
      };
      mkdirSync(join(home, ".config/opencode"), { recursive: true });
      writeFileSync(join(home, ".config/opencode/opencode.json"), JSON.stringify(settings));
      return {
        env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
        idle: () => model.idle(),
        [Symbol.asyncDispose]: () => model[Symbol.asyncDispose](),
      };
    },
  };
}

const needed = findAgentProgram("opencode-1.18.33");

function writes(filePath: string, content: string) {
  return { name: "write", input: { filePath, content } };
}

describeAgentProgram(needed, opencode, {
  runs: (command) => ({ name: "bash", input: { command, description: "Does it" } }),
  lookup: { name: "atrium_lookup" },
  writes,
  asksFor: "commands",
  afterDenial: "ends",
  resumes: true,
  skills: "own",
  isSteered: true,
  wrapsResults: true,
  hasTerminal: true,
});

test(
  "[ACP-20] [CONF-24] in its plan mode a change of a file is denied without a question",
  { skip: needed.skip },
  async () => {
    const program = opencode(needed.path());
    await using stage = await openAgentStage(
      {
        ...program,
        createRuntime: (place, deps) => createAcpRuntime("plan", { ...place, mode: "plan" }, deps),
      },
      ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: ["Planned."], usage: USAGE }
          : {
              type: "answer",
              toolCalls: [writes(join(stage.folder, "tide.txt"), "high at noon\n")],
              usage: USAGE,
            },
    );
    const asked: unknown[] = [];
    const host = createTestHost({
      speed: 1,
      requestPermission: async (request) => (asked.push(request), "allowed"),
    });
    const events = await eventsOf(stage.runtime, turnOf("Note it."), host);
    assert.deepEqual(asked, []);
    assert.equal(existsSync(join(stage.folder, "tide.txt")), false, JSON.stringify(events));
    const returned = events.filter((event) => event.type === "tool.returned");
    assert.deepEqual(
      returned.map(({ isError }) => isError),
      [true],
      JSON.stringify(events),
    );
  },
);

/** The least of an MCP server: one tool. */
const TIDES = `
import { createInterface } from "node:readline";
const tools = [{ name: "high_water", description: "Tells high water.", inputSchema: { type: "object" } }];
const capabilities = { tools: {} };
const serverInfo = { name: "tides", version: "1.0.0" };
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const { protocolVersion } = params ?? {};
  const result = method === "initialize" ? { protocolVersion, capabilities, serverInfo } : { tools };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});`;

test(
  "[CONF-48] an MCP server of its user's settings is there in the real sandbox",
  { skip: needed.skip || skipWithoutSandbox() },
  async () => {
    const program = opencode(needed.path());
    const sent: string[] = [];
    await using stage = await openAgentStage(
      {
        ...program,
        async openModel(answer, home) {
          const model = await program.openModel(answer, home);
          const server = join(home, "../tides.mjs");
          writeFileSync(server, TIDES);
          const file = join(home, ".config/opencode/opencode.json");
          const settings = JSON.parse(readFileSync(file, "utf8")) as object;
          const tides = { type: "local", command: [process.execPath, server], enabled: true };
          writeFileSync(file, JSON.stringify({ ...settings, mcp: { tides } }));
          return model;
        },
        createRuntime: (place, deps) =>
          program.createRuntime(
            { ...place, sandbox: { readable: [join(place.cwd, "../tides.mjs")] } },
            deps,
          ),
      },
      ({ whole }) => (sent.push(whole), { type: "answer", chunks: ["Noted."], usage: USAGE }),
      { confinement: openSandbox([]) },
    );
    const turn = turnOf("When is high water?", { workspace: stage.workspace });
    const events = await eventsOf(stage.runtime, turn, createTestHost({ speed: 1 }));
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    assert.match(sent.join("\n"), /tides_high_water/);
  },
);
