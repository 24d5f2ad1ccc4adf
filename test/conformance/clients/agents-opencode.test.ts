/** opencode, as it comes from npm, over ACP. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "../../../apps/server/src/agents/testing/test-host.ts";
import { eventsOf, turnOf } from "../../../apps/server/src/agents/testing/turns.ts";
import {
  openSandbox,
  skipWithoutSandbox,
} from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { TIDES_SCRIPT, tidesServer } from "../../kit/tides/tides.ts";
import { describeAgentProgram } from "../kit/agent-program.contract.ts";
import {
  addServerTo,
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
    settings: { type: "acp", program: "opencode", command: [join(folder, program), "acp"] },
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
            models: {
              "test-model": { name: "test-model", tool_call: true },
              "other-model": { name: "other-model", tool_call: true },
            },
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
    addServer(home, name, { command, args }) {
      const written = { type: "local", command: [command, ...args] };
      addServerTo(join(home, ".config/opencode/opencode.json"), "mcp", name, written);
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
  tide: () => ({ name: "tides_tide" }),
  leavesOut: true,
  secondModel: ["fake/other-model", "other-model"],
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
    await using stage = await openAgentStage(
      opencode(needed.path()),
      ({ returned }) =>
        returned.length > 0
          ? { type: "answer", chunks: ["Planned."], usage: USAGE }
          : {
              type: "answer",
              toolCalls: [writes(join(stage.folder, "tide.txt"), "high at noon\n")],
              usage: USAGE,
            },
      { settings: { mode: "plan" } },
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

test(
  "[CONF-48] an MCP server of its user's settings is there in the real sandbox",
  { skip: needed.skip || skipWithoutSandbox() },
  async () => {
    const sent: string[] = [];
    await using stage = await openAgentStage(
      opencode(needed.path()),
      ({ whole }) => (sent.push(whole), { type: "answer", chunks: ["Noted."], usage: USAGE }),
      {
        confinement: openSandbox([]),
        ownServers: { tides: tidesServer() },
        settings: { sandbox: { readable: [TIDES_SCRIPT] } },
      },
    );
    const turn = turnOf("When is high water?", { workspace: stage.workspace });
    const events = await eventsOf(stage.runtime, turn, createTestHost({ speed: 1 }));
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
    assert.match(sent.join("\n"), /tides_tide/);
  },
);
