import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { Behavior } from "../../../../../test/kit/model-server/behavior.ts";
import { openModelServer } from "../../../../../test/kit/model-server/model-server.ts";
import { gone, isAlive } from "../../../../../test/kit/processes.ts";
import { openTidesHttp, type TidesHttpOptions } from "../../../../../test/kit/tides/tides-http.ts";
import { TIDES_SCRIPT, tidesServer } from "../../../../../test/kit/tides/tides.ts";
import { openFolders } from "../../confinement/testing/confinement-stage.ts";
import { openSandbox, skipWithoutSandbox } from "../../confinement/testing/sandbox.ts";
import { systemTimers } from "../../platform/timers.ts";
import { createModelRuntime } from "../model/model.ts";
import type { EquippedServer } from "../settings/mcp-server-settings.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { PermissionRequest, Turn, TurnEvent } from "../turn/agent-runtime.ts";
import { withMcpTools, type McpRuntimeDeps } from "./mcp-runtime.ts";

const ENV = { PATH: process.env["PATH"] ?? "" };
const USAGE = { inputTokens: 11, outputTokens: 7 };

interface Scene extends TestHostOptions {
  readonly turn?: Partial<Turn>;
  readonly deps?: Partial<McpRuntimeDeps>;
  readonly prepare?: (host: TestHost) => void;
}

interface Played {
  readonly events: readonly TurnEvent[];
  readonly results: readonly { readonly text: string; readonly isError: boolean }[];
  /** The names of the tools that the model was offered first. */
  readonly offered: readonly string[];
}

function program(how = "well", ...more: readonly string[]): EquippedServer {
  return { name: "tides", env: {}, ...tidesServer(how, ...more) };
}

function call(tool: string, input: object = {}): Behavior {
  return { type: "answer", toolCalls: [{ name: `mcp__tides__${tool}`, input }], usage: USAGE };
}

const DONE: Behavior = { type: "answer", chunks: ["Done."], usage: USAGE };
const allow = async (): Promise<"allowed"> => "allowed";

/** A turn of a model that makes these answers, with these servers. */
async function play(
  servers: readonly EquippedServer[],
  behaviors: readonly Behavior[],
  { turn, deps, prepare, ...options }: Scene = {},
): Promise<Played> {
  await using model = await openModelServer();
  model.queue.push(...behaviors);
  const settings = { provider: "openai-compatible", model: "m", apiKey: undefined } as const;
  const plain = createModelRuntime("local", { ...settings, baseUrl: model.baseUrl });
  const place = { cwd: tmpdir(), env: ENV };
  const runtime = withMcpTools(plain, servers, place, { timers: systemTimers, ...deps });
  const host = createTestHost({ speed: 1, requestPermission: allow, ...options });
  prepare?.(host);
  const events = await eventsOf(runtime, turnOf("When is high water?", turn), host);
  const tools: { readonly function: { readonly name: string } }[] =
    model.requests[0]?.body.tools ?? [];
  return {
    events,
    results: events.flatMap((event) => (event.type === "tool.returned" ? [event] : [])),
    offered: tools.map(({ function: { name } }) => name),
  };
}

test("[MCP-1] a model has the tools of a server that is a program, and gets what they return", async () => {
  const { offered, results, events } = await play(
    [program()],
    [call("tide", { at: "Brest" }), DONE],
    {
      tools: [{ name: "now", description: "", input: { type: "object" } }],
    },
  );
  assert.deepEqual(offered, ["now", "mcp__tides__tide", "mcp__tides__environment"]);
  assert.deepEqual(
    results.map(({ text, isError }) => [text, isError]),
    [["High water at Brest: 6:13. Key: none\n(image, image/png: not shown)", false]],
  );
  assert.equal(textIn(events), "Done.");
});

for (const isStreamed of [false, true]) {
  test(`[MCP-1] and of a server over HTTP that answers ${isStreamed ? "in events" : "in JSON"}`, async () => {
    await using tides = await openTidesHttp({ isStreamed });
    const server = { name: "tides", url: tides.url, headers: { Authorization: "Bearer t-1" } };
    const { results } = await play([server], [call("tide"), DONE]);
    assert.equal(results[0]?.text, "High water at noon.");
    assert.ok(tides.requests.every(({ headers }) => headers.authorization === "Bearer t-1"));
    const [first, ...later] = tides.requests;
    assert.equal(first?.headers["mcp-session-id"], undefined);
    assert.ok(later.every(({ headers }) => headers["mcp-session-id"] === "session-of-tides"));
    assert.equal(tides.requests.at(-1)?.method, "DELETE");
  });
}

test("[MCP-1] what a tool returns is cut to 30,000 characters", async () => {
  const { results } = await play([program()], [call("tide", { at: "everywhere" }), DONE]);
  const [result] = results;
  assert.ok(result !== undefined && result.text.length < 31_000, String(result?.text.length));
  assert.match(result.text, /lines left out; 1000\d\d bytes in all/);
});

test("[MCP-2] people are asked before each call, with all of it, and what they deny is not made", async () => {
  const asked: PermissionRequest[] = [];
  const answers = ["denied", { permission: "denied", note: "Not today" }, "allowed"] as const;
  const requestPermission = async (request: PermissionRequest) =>
    answers[asked.push(request) - 1] ?? "expired";
  const calls = [1, 2, 3].map((at) => call("tide", { at: `${at}` }));
  const { results } = await play([program()], [...calls, DONE], { requestPermission });
  assert.deepEqual(
    asked.map(({ tool, input }) => [tool, input]),
    ["1", "2", "3"].map((at) => ["mcp__tides__tide", { at }]),
  );
  assert.deepEqual(
    results.map(({ isError }) => isError),
    [true, true, false],
  );
  assert.match(results[1]?.text ?? "", /was not made.*Not today/);
  await using tides = await openTidesHttp();
  const server = { name: "tides", url: tides.url, headers: {} };
  await play([server], [call("tide"), DONE], { requestPermission });
  assert.equal(asked.at(-1)?.host, new URL(tides.url).host);
  assert.ok(!tides.requests.some(({ rpc }) => rpc === "tools/call"));
});

const WRONG = {
  hangs: /was not ready within 20 s/,
  dies: /ended: "\S+" ended with exit code 3: the moon is missing/,
  garbage: /printed something that is not MCP: Welcome to Tides/,
  many: /lists more tools than a model can be given \(at most 256/,
  huge: /sent a message of more than 8388608 bytes/,
  "no-tools": /lists something that is not a tool/,
  endless: /lists its tools without an end/,
};

for (const [how, why] of Object.entries(WRONG)) {
  test(`[MCP-3] a bad server (${how}) is named in one sentence, and the turn goes on without it`, async () => {
    const fast = { after: (ms: number, run: () => void) => systemTimers.after(ms / 40, run) };
    const deps = how === "hangs" ? { timers: fast } : {};
    const { events, offered } = await play([program(how)], [DONE], { deps });
    const [note, ...rest] = textIn(events).split("\n\n");
    assert.match(note ?? "", /^The MCP server "tides" [^\n]*\. This answer does without it\.$/);
    assert.match(note ?? "", why);
    assert.deepEqual([rest, offered], [["Done."], []]);
    assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
  });
}

const UNREACHED: readonly (readonly [TidesHttpOptions, RegExp])[] = [
  [{ status: 401 }, /answered 401: it wants other credentials/],
  [{ status: 500 }, /answered 500/],
  [{ text: "<html>" }, /sent something that is not MCP/],
];

for (const [options, why] of UNREACHED) {
  test(`[MCP-3] so is one over HTTP with ${JSON.stringify(options)}`, async () => {
    await using tides = await openTidesHttp(options);
    const server = { name: "tides", url: tides.url, headers: {} };
    assert.match(textIn((await play([server], [DONE])).events), why);
  });
}

test("[MCP-3] a missing program and a closed port are named, and the other servers are there", async () => {
  const missing = { ...program(), name: "nowhere", command: "/no/such/program" };
  const closed = { name: "closed", url: "http://127.0.0.1:9/mcp?key=k-1", headers: {} };
  const { events, offered } = await play([missing, closed, program()], [DONE]);
  const said = textIn(events);
  assert.match(said, /"nowhere" cannot be started: There is no program/);
  assert.match(said, /"closed" is not reached at 127\.0\.0\.1:9\. /);
  assert.ok(offered.includes("mcp__tides__tide"));
});

test("[MCP-4] a server that dies of a call, or does not answer, is an error result of that call", async () => {
  const { results, events } = await play([program("mortal")], [call("tide"), call("tide"), DONE]);
  assert.match(results[0]?.text ?? "", /The MCP server "tides" ended: .*exit code 4/);
  assert.deepEqual(
    results.map(({ isError }) => isError),
    [true, true],
  );
  assert.equal(textIn(events), "Done.");
  const impatient = {
    after: (ms: number, run: () => void) => systemTimers.after(ms > 60_000 ? 10 : ms, run),
  };
  const deaf = await play([program("deaf")], [call("tide"), DONE], { deps: { timers: impatient } });
  assert.match(deaf.results[0]?.text ?? "", /"tides" did not answer within 10 min\./);
  assert.equal(textIn(deaf.events), "Done.");
});

test("[MCP-5] a program and all that it has started ends with the turn, also with one that is aborted", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-mcp-"));
  const file = join(folder.path, "pids");
  const pids = (): number[] => JSON.parse(readFileSync(file, "utf8")) as number[];
  await play([program("well", file)], [call("tide"), DONE], {
    requestPermission: async () => {
      assert.ok(pids().every(isAlive));
      return "allowed";
    },
  });
  await gone(pids());
  const stops: (() => void)[] = [];
  const { events } = await play([program("deaf", file)], [call("tide"), DONE], {
    prepare: (host) => void stops.push(() => host.abort()),
    requestPermission: async () => {
      for (const stop of stops) setImmediate(stop);
      return "allowed";
    },
  });
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
  await gone(pids());
});

test(
  "[MCP-7] in a workspace its program is confined, and its calls are asked by the agent's preset",
  { skip: skipWithoutSandbox() },
  async () => {
    await using folders = await openFolders();
    const { home, folder, store } = folders;
    const confinement = openSandbox([home]);
    const kit = join(dirname(TIDES_SCRIPT), "..", "..", "..");
    const server = { name: "tides", env: {}, ...tidesServer(), readable: [kit] };
    for (const preset of ["sandbox", "edit", "ask"] as const) {
      const asked: string[] = [];
      const { results } = await play([server], [call("environment"), DONE], {
        turn: { workspace: { folder, store } },
        deps: { confinement, permissionsOf: () => preset },
        requestPermission: async ({ tool }) => (asked.push(tool), "allowed"),
      });
      const given = JSON.parse(results[0]?.text ?? "{}") as Record<string, string>;
      assert.equal(given["ATRIUM_WORKTREE"], folder, `${results[0]?.text}`);
      assert.deepEqual(asked, preset === "sandbox" ? [] : ["mcp__tides__environment"]);
    }
  },
);

test("[MCP-8] a server over HTTP is not followed elsewhere with what it is given", async () => {
  await using other = await openTidesHttp();
  await using tides = await openTidesHttp({ status: 307, location: other.url });
  const server = { name: "tides", url: tides.url, headers: { Authorization: "Bearer t-1" } };
  const { events } = await play([server], [DONE]);
  assert.match(textIn(events), /"tides" is not reached at/);
  assert.deepEqual(other.requests, []);
});
