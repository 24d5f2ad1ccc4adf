/** What commands of agents put out, seen by everyone while they run, and what agents see of each other's work. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { openShop } from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

const calls = (name: string, input: unknown): Behavior => ({
  type: "answer",
  toolCalls: [{ name, input }],
});

const resultsIn = ({ body }: ModelRequest): readonly string[] =>
  body.messages
    .filter(({ role }: { role: string }) => role === "tool")
    .map(({ content }: { content: unknown }) => JSON.stringify(content));

const local = (baseUrl: string) => ({
  local: { type: "model", provider: "openai-compatible", baseUrl, model: "m" },
});

test(
  "[TOOL-14] [WORLD-27] a command is watched in the world, at the gateway and over HTTP while it runs",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    let token = "";
    await using model = await openModelServer((request) => {
      if (resultsIn(request).length > 0) return { type: "answer", chunks: ["Done."] };
      // The token comes in two pieces, and the command waits until it was seen.
      const [head, tail] = [token.slice(0, 12), token.slice(12)];
      const waits = "while [ ! -e go ]; do sleep 0.05; done";
      const says = `printf 'at %s\\n' "$PWD"; printf %s ${head}; sleep 0.3; echo ${tail}`;
      return calls("run", { command: `${says}; printf '\\033[31mred\\n'; ${waits}; echo over` });
    });
    await using shop = await openShop({
      runtimes: local(model.baseUrl),
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const { atrium, peer } = shop;
    token = atrium.token;
    await using gateway = await atrium.connect({ caps: ["tool-events"] });
    await shop.request("Run it", "shop");
    const isOutput = ({ type, payload }: WorldMessage): boolean =>
      type === "agent_stream" && payload.call_id !== undefined;
    const outputOf = (messages: readonly WorldMessage[]): string =>
      messages
        .filter(isOutput)
        .map(({ payload }) => payload.delta)
        .join("");
    await peer.first((message) => isOutput(message) && outputOf(peer.messages).includes("red"));
    const shown = /^at (?<folder>\S+)\n.{0,3}\[key\]\nred\n$/;
    const { folder = "" } = shown.exec(outputOf(peer.messages))?.groups ?? {};
    assert.ok(folder !== "", outputOf(peer.messages));

    const { run_id, call_id } = (await peer.first(isOutput)).payload;
    await using late = await enterWorld(atrium);
    assert.match(outputOf([await late.first(isOutput)]), shown);
    const path = `/api/runs/${run_id}/calls/${call_id}/output`;
    const read = () =>
      fetch(new URL(path, atrium.url), { headers: { authorization: `Bearer ${token}` } });
    const soFar = await read();
    assert.match(await soFar.text(), shown);
    assert.equal(soFar.headers.get("cache-control"), "no-store");
    const isUpdate = ({ event, payload }: { event?: string; payload?: { data?: object } }) =>
      event === "agent" && payload?.data !== undefined && "partialResult" in payload.data;
    const updates = () => gateway.frames.filter(isUpdate).map(({ payload }) => payload.data);
    const last = updates().at(-1);
    assert.match(last.partialResult.content[0].text, shown);
    assert.deepEqual([last.phase, last.name, last.toolCallId], ["update", "run", call_id]);
    assert.equal(
      updates()
        .map(({ delta }) => delta)
        .join(""),
      outputOf(peer.messages),
    );

    await writeFile(join(folder, "go"), "");
    await peer.event("review_requested");
    const told = peer.messages.filter(isOutput);
    assert.deepEqual(
      told.map(({ payload }) => payload.seq),
      told.map((_message, at) => at + 1),
    );
    assert.ok(outputOf(told).endsWith("red\nover\n"));
    const end = told.at(-1);
    assert.deepEqual([end?.payload.done, end?.payload.kind], [true, "code"]);
    assert.match(await (await read()).text(), /over\n\[exit code 0, \d/);
    const seen = JSON.stringify([peer.messages, late.messages, gateway.frames]);
    assert.ok(!seen.includes(token));
    for (const entry of await shop.entries()) {
      assert.ok(!JSON.stringify(entry.data).includes(token));
    }
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[TOOL-14] a command that prints without end is told in a few hundred kilobytes, and everyone goes on",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    await using model = await openModelServer((request) =>
      resultsIn(request).length > 0
        ? { type: "answer", chunks: ["Done."] }
        : calls("run", { command: "exec yes", timeoutMs: 2_000 }),
    );
    await using shop = await openShop({
      runtimes: local(model.baseUrl),
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const { peer, atrium } = shop;
    await using gateway = await atrium.connect({ caps: ["tool-events"] });
    await shop.request("Flood it", "shop");
    await peer.first(({ payload }) => payload.call_id !== undefined);
    for (let n = 0; n < 10; n++) await gateway.ask("health", {});
    await peer.event("review_requested");
    const told = peer.messages.filter(({ payload }) => payload.call_id !== undefined);
    const output = told.filter(({ type }) => type === "agent_stream");
    const size = JSON.stringify(output).length;
    assert.ok(output.length <= 25 && size < 1_000_000, `${output.length} messages, ${size} bytes`);
    assert.match(JSON.stringify(output), /… \d+ characters left out …/);
    assert.ok(JSON.stringify(gateway.frames).length < 2_000_000);
    const entries = await shop.entries();
    const returned = entries.find(({ type }) => type === "run.tool.returned");
    assert.match(JSON.stringify(returned?.data), /stopped after 2\.\d s: it took longer/);
    assert.ok(JSON.stringify(entries).length < 500_000);
    assert.deepEqual(atrium.faults, []);
  },
);

test(
  "[TOOL-15] [TOOL-16] an agent sees what it has changed, and what another has handed over",
  { skip: skipWithout("git") },
  async () => {
    const results = new Map<string, readonly string[]>();
    await using model = await openModelServer((request) => {
      const said = JSON.stringify(request.body.messages);
      const isFirst = said.includes("Task 1 of 2");
      const done = resultsIn(request);
      results.set(isFirst ? "first" : "second", done);
      if (isFirst) {
        if (done.length === 0) return calls("write", { path: "made.txt", content: "made\n" });
        if (done.length === 1) return calls("changes", {});
        if (done.length === 2) return calls("changes", { path: "made.txt" });
        return { type: "answer", chunks: ["It is made."] };
      }
      if (done.length === 0) return calls("task_result", { taskId: "1" });
      if (done.length === 1) return calls("task_result", { taskId: "task_other_1" });
      return { type: "answer", chunks: ["Seen."] };
    });
    await using shop = await openShop({
      runtimes: local(model.baseUrl),
      agents: [
        { id: "agent_eng_1", runtime: "local" },
        { id: "agent_eng_2", runtime: "local" },
      ],
    });
    const { peer } = shop;
    const planned = peer.next(({ payload: { name } }) => name === "tasks_created");
    const finished = peer.next(({ payload: { name } }) => name === "kickoff_finished");
    await peer.ask("submit_request", { text: "Make it", repository: "shop" });
    const [first, second] = (await planned).payload.tasks;
    await finished;
    await peer.ask("assign_task", { task_id: first.task_id, agent_id: "agent_eng_1" });
    await peer.event("review_requested");
    const reviewed = peer.next(({ payload: { name } }) => name === "review_requested");
    await peer.ask("assign_task", { task_id: second.task_id, agent_id: "agent_eng_2" });
    await reviewed;
    const [, changes = "", patch = ""] = results.get("first") ?? [];
    assert.match(changes, /1 file changed, \+1 −0 lines:\\\\?nadded made\.txt \(\+1 −0\)/);
    assert.match(patch, /\+made/);
    const [theirs = "", unknown = ""] = results.get("second") ?? [];
    assert.match(theirs, new RegExp(`Task 1 \\(${first.task_id}\\)`));
    assert.match(theirs, /It is made\..*added made\.txt/);
    assert.match(unknown, /has no such task.*Its tasks/);
    assert.deepEqual(shop.atrium.faults, []);
  },
);
