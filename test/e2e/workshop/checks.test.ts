/** Checks of a change: confined, on a clean folder of its commit, told live, and sent back once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { contentsOf, modelOn, openShop, works, type Shop } from "../../kit/workshop.ts";
import type { WorldMessage } from "../../kit/world-peer.ts";

const skip = skipWithout("git") || skipWithoutSandbox();
const ENG = { id: "agent_eng_1", runtime: "local" };

type Payload = WorldMessage["payload"];

/** What is ignored is not handed over. */
const written = (word: string) =>
  works(["run", { command: `echo ${word} > made.txt; mkdir -p ignored; echo > ignored/here` }]);

/** Wrong at first, right once it has seen what the check said. */
const learning = (request: ModelRequest) =>
  written(/bad is not good/.test(JSON.stringify(request.body)) ? "good" : "bad")(lastTurn(request));

/** Tool results of earlier turns are no results of this one. */
function lastTurn(request: ModelRequest): ModelRequest {
  const { messages } = request.body;
  const from = messages.findLastIndex(({ role }: { role: string }) => role === "user");
  return { ...request, body: { ...request.body, messages: messages.slice(from) } };
}

const CHECKS = [
  {
    name: "words",
    command: [
      "/bin/sh",
      "-c",
      'read w < made.txt; test "$w" = good || { echo "$w is not good"; exit 3; }',
    ],
    required: true,
  },
  { name: "clean", command: ["/bin/sh", "-c", "test ! -e ignored"], required: true },
  { name: "hopes", command: ["/bin/false"] },
];

const checksTold = ({ peer }: Shop, name: string): readonly Payload[] =>
  peer.told("event").flatMap(({ payload }) => (payload.name === name ? [payload] : []));

test(
  "[SHOP-11] [SHOP-12] checks run confined on a clean folder; a required one that fails goes back to the agent once with its output",
  { skip },
  async () => {
    await using model = await openModelServer(learning);
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
      tasks: [{ title: "Make it", verify: ["echo verified > /tmp/out && cat made.txt"] }],
      checks: CHECKS,
    });
    const before = contentsOf(shop.repository);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const { payload: delivered } = await shop.peer.event("artifact_delivered");
    assert.equal(delivered.version, 2);
    const finished = checksTold(shop, "checks_finished");
    assert.deepEqual(
      finished.map(({ verdict, results }) => [
        verdict,
        results.map((each: Payload) => `${each.name} ${each.verdict}`).slice(0, 3),
      ]),
      [
        ["failed", ["words failed", "clean passed", "hopes failed"]],
        ["passed", ["words passed", "clean passed", "hopes failed"]],
      ],
    );
    assert.equal(checksTold(shop, "checks_started").length, 2);
    const streamed = shop.peer
      .told("agent_stream")
      .flatMap(({ payload }) =>
        payload.call_id?.startsWith("chk_") === true ? [payload.delta] : [],
      );
    assert.match(streamed.join(""), /bad is not good/);
    const entries = await shop.entries();
    const ends = entries.filter(({ type }) => type === "workspace.check_finished");
    assert.equal(ends.length, 8);
    assert.deepEqual(new Set(ends.map(({ stream }) => stream)), new Set([`workspace/${taskId}`]));
    const exits = ends.map(({ data }) => (data as { exitCode: number }).exitCode);
    assert.deepEqual(exits, [3, 0, 1, 0, 0, 0, 1, 0]);
    assert.deepEqual(contentsOf(shop.repository), before);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-12] a check that fails twice goes to people, and its result is not asked for again of the same files",
  { skip },
  async () => {
    await using model = await openModelServer((request) => written("bad")(lastTurn(request)));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
      checks: CHECKS.slice(0, 1),
    });
    await shop.request("Make it", "shop");
    const { payload: delivered } = await shop.peer.event("artifact_delivered");
    assert.equal(delivered.version, 2);
    const verdicts = checksTold(shop, "checks_finished").map(({ verdict }) => verdict);
    assert.deepEqual(verdicts, ["failed", "failed"]);
    const snapshot = shop.peer.told("snapshot").at(-1)?.payload;
    assert.ok(snapshot);
    const entries = await shop.entries();
    // Both versions have the same files.
    const ran = entries.filter(({ type }) => type === "workspace.check_started");
    assert.equal(ran.length, 1);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test("[SHOP-13] checks stop with their task, and go on with their project", { skip }, async () => {
  await using model = await openModelServer((request) => written("good")(lastTurn(request)));
  const slow = { name: "slow", command: ["/bin/sh", "-c", "echo begun; sleep 5"], required: true };
  await using shop = await openShop({
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [ENG, { id: "agent_eng_2", runtime: "local" }],
    checks: [slow],
  });
  const [first = "", second = ""] = await shop.request("Make it", "shop");
  const begun = (taskId: string): Promise<unknown> =>
    shop.peer.next(
      ({ type, payload }) =>
        type === "agent_stream" && payload.task_id === taskId && /begun/.test(payload.delta ?? ""),
    );
  await Promise.all([begun(first), begun(second)]);
  await shop.peer.ask("cancel_task", { task_id: first, confirm: true });
  const { project_id } = (await shop.peer.event("kickoff_finished")).payload;
  await shop.peer.ask("pause_project", { project_id });
  await shop.peer.ask("resume_project", { project_id });
  await begun(second);
  const { payload } = await shop.peer.event("artifact_delivered");
  assert.equal(payload.task_id, second);
  const entries = await shop.entries();
  const ended = entries.filter(({ type }) => type === "workspace.check_finished");
  assert.deepEqual(
    ended.map(({ stream }) => stream),
    [`workspace/${second}`],
  );
  assert.deepEqual(shop.atrium.faults, []);
});
