import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { acpPrompt, type AcpStep } from "../../../../../test/kit/acp-agent.ts";
import { openToolServer } from "../../../../../test/kit/tool-server/tool-server.ts";
import { markedProcesses } from "../../confinement/process-tree.ts";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import { openSandbox, skipWithoutSandbox } from "../../confinement/testing/sandbox.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createClineRuntime } from "../cline/cline.ts";
import { createRuntimes } from "../runtimes.ts";
import { makeBrokenProgram } from "../testing/broken-program.ts";
import { openConfinement } from "../testing/open-confinement.ts";
import { createTestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { AgentRuntime, Turn } from "../turn/agent-runtime.ts";
import type { OpenMcpToolServer } from "../turn/mcp-tool-server.ts";
import { createAcpRuntime } from "./acp.ts";

const AGENT = join(import.meta.dirname, "../../../../../test/kit/acp-agent.ts");
const TOOL_SERVER = join(import.meta.dirname, "../../../../../test/kit/tool-server/mcp-stdio.ts");
const LOOKUP = { name: "lookup", description: "Looks up.", input: { type: "object" } };

describe("in the real sandbox", { skip: skipWithoutSandbox() }, () => {
  async function openBench() {
    const { folder, home: serverHome, root, ...folders } = await openFolders();
    const house = join(root, "house");
    mkdirSync(join(house, ".config/opencode"), { recursive: true });
    const env = new Map(Object.entries({ PATH: process.env["PATH"] ?? "", HOME: house }));
    // Where no package shows it.
    const toolServer = join(root, "tool-server.ts");
    copyFileSync(TOOL_SERVER, toolServer);
    const openServer: OpenMcpToolServer = async (options) => {
      const server = await openToolServer(options);
      const command = [process.execPath, toolServer];
      return { command, env: server.env, close: () => server.close() };
    };
    const inUse = new Set<string>();
    const opened: AgentRuntime[] = [];
    const open = async (): Promise<AgentRuntime> => {
      const command = [process.execPath, AGENT, "resume", "home"];
      const settings = { type: "acp", program: "opencode", command } as const;
      const runtimes = await createRuntimes({ known: settings }, (name) => env.get(name), {
        hookSecrets: inUse,
        confinement: openSandbox([serverHome]),
        openMcpToolServer: Object.assign(openServer, { reads: [toolServer] }),
      });
      const runtime = runtimes.get("known");
      assert.ok(runtime !== undefined);
      opened.push(runtime);
      return runtime;
    };
    const workspace = { folder, store: null, programs: join(root, "programs") };
    return {
      house,
      folder,
      open,
      play: (
        runtime: AgentRuntime,
        steps: readonly AcpStep[],
        turn: Partial<Turn> = {},
        options: TestHostOptions = {},
      ) =>
        eventsOf(
          runtime,
          turnOf(acpPrompt(...steps), { workspace, ...turn }),
          createTestHost({ speed: 1, ...options }),
        ),
      async [Symbol.asyncDispose]() {
        for (const runtime of opened) await runtime.close?.();
        await folders[Symbol.asyncDispose]();
      },
    };
  }

  test("[ACP-21] killed with its server, a confined agent takes up its session again", async () => {
    await using bench = await openBench();
    const first = await bench.open();
    const events = await bench.play(first, [{ say: "The heron is noted." }]);
    const session = events.find((event) => event.type === "session")?.id;
    assert.ok(session !== undefined, JSON.stringify(events));
    const pids = markedProcesses(`ATRIUM_WORKTREE=${bench.folder}`);
    assert.ok(pids.length > 0);
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await first.close?.();
    const back = await bench.play(await bench.open(), [{ echo: "session" }], { session });
    assert.match(textIn(back), /heron/, JSON.stringify(back));
    assert.doesNotMatch(textIn(back), /What was said before/);
  });

  test("[ACP-22] our tools reach a confined agent by the server that it starts", async () => {
    await using bench = await openBench();
    const options = {
      tools: [LOOKUP],
      callTool: async () => ({ text: "high at noon", isError: false }),
    };
    const runtime = await bench.open();
    const steps = [{ useTool: "lookup", input: { q: "tide" } }];
    const events = await bench.play(runtime, steps, {}, options);
    assert.match(textIn(events), /high at noon/, JSON.stringify(events));
  });

  test("[ACP-23] no agent says a secret of the login that a confined one has", async () => {
    await using bench = await openBench();
    const key = "sk-0123456789abcdef0123";
    const settings = { provider: { mine: { options: { apiKey: key } } } };
    const file = join(bench.house, ".config/opencode/opencode.json");
    writeFileSync(file, JSON.stringify(settings));
    const events = await bench.play(await bench.open(), [{ say: `The key is ${key}.` }]);
    assert.equal(textIn(events), "The key is [key].");
  });
});

describe("confined, one that wants a login", () => {
  async function reasonOf(
    name: "gemini" | "cline" | "some-agent",
    login: boolean,
    hasFile: boolean,
  ): Promise<string> {
    await using folders = await openFolders();
    const { folder, root } = folders;
    const kind = name === "cline" ? "cline" : "acp";
    const command = [makeBrokenProgram(root, name, kind, "wants a login")];
    const file = join(
      root,
      name === "cline" ? ".cline/data/settings/providers.json" : ".gemini/.env",
    );
    mkdirSync(join(file, ".."), { recursive: true });
    if (hasFile) writeFileSync(file, "{}");
    const env = { PATH: process.env["PATH"] ?? "", HOME: root };
    const settings = { command, cwd: folder, env, sandbox: { login } };
    const confinement = openConfinement(true);
    const deps = { timers: systemTimers, newSecret: randomUUID, confinement };
    const runtime =
      name === "cline"
        ? createClineRuntime(name, settings, deps)
        : createAcpRuntime(name, settings, deps);
    const workspace = { folder, store: null, programs: join(root, "programs") };
    const turn = turnOf("Hello", { workspace });
    const events = await eventsOf(runtime, turn, createTestHost({ speed: 1 }));
    await runtime.close?.();
    const last = events.at(-1);
    assert.ok(last?.type === "failed" && last.kind === "unavailable", JSON.stringify(events));
    return last.reason.replaceAll(root, "~");
  }

  test("[AGENT-35] is told with what it has of one there, and how it gets one", async () => {
    const rows = [
      ["gemini", "Start `gemini` in a terminal once and log in", "~/.gemini/.env"],
      ["cline", "Log in with `cline auth`", "~/.cline/data/settings/providers.json"],
    ] as const;
    for (const [name, advice, file] of rows) {
      const copied = await reasonOf(name, true, true);
      assert.ok(copied.includes(advice), copied);
      assert.ok(copied.includes(`has copies of ${file} there. A login that is kept`), copied);
      assert.ok(copied.includes("name the variable of a key in env of its runtime"), copied);
      assert.match(
        await reasonOf(name, true, false),
        /found no login to copy there: it looked for/,
      );
      assert.match(
        await reasonOf(name, false, true),
        /because sandbox\.login of its runtime is false/,
      );
    }
    assert.match(
      await reasonOf("some-agent", true, false),
      /has nothing of your home: set program/,
    );
  });
});
