/** Checks of a change: confined, on a clean folder of its commit, told live, and sent back once. */
import assert from "node:assert/strict";
import { mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Entry } from "@atrium/log";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { findProgram, skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { startServer } from "../../kit/server-process.ts";
import {
  contentsOf,
  makeBusyRepository,
  modelOn,
  openShop,
  readEntries,
  requestWork,
  works,
  writeSettings,
  type Shop,
} from "../../kit/workshop.ts";
import { enterWorld, type WorldMessage } from "../../kit/world-peer.ts";

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

test(
  "[SHOP-11] without a sandbox each check is asked of a person, and one that nobody allows says nothing",
  { skip: skipWithout("git") },
  async () => {
    await using bin = await mkdtempDisposable(join(tmpdir(), "atrium-bin-"));
    await symlink(findProgram("git") ?? "", join(bin.path, "git"));
    // As in a container that may make no namespaces.
    await writeFile(join(bin.path, "bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await using model = await openModelServer(works(["write", { path: "a.txt", content: "a\n" }]));
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [ENG],
      checks: ["first", "second"].map((name) => {
        return { name, command: ["/bin/sh", "-c", `: ${name}; test -f a.txt`], required: true };
      }),
      options: { env: { PATH: bin.path } },
    });
    await shop.request("Make it", "shop");
    for (const [name, choice] of [
      ["first", "Deny"],
      ["second", "Allow"],
    ]) {
      const { payload } = await shop.peer.first(
        ({ payload: each }) => each.kind === "permission" && each.prompt.includes(`: ${name};`),
      );
      const { decision_id } = payload;
      await shop.peer.ask("resolve_decision", { decision_id, choice });
    }
    await shop.peer.event("artifact_delivered");
    const [finished] = checksTold(shop, "checks_finished");
    assert.equal(finished.verdict, "passed");
    const verdicts = finished.results.map((each: Payload) => each.verdict);
    assert.deepEqual(verdicts, ["skipped", "passed"]);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-13] checks begin again after a restart, and what they said is kept",
  { skip },
  async () => {
    await using root = await mkdtempDisposable(join(tmpdir(), "atrium-checks-"));
    const home = join(root.path, "home");
    const repository = makeBusyRepository(join(root.path, "repository"));
    const worker = {
      type: "command",
      command: ["/bin/sh", "-c", "cat > /dev/null; echo a > a.txt"],
    };
    const agents = [{ id: "agent_eng_1", runtime: "worker" }];
    const checks = [
      { name: "quick", command: ["/bin/true"], required: true },
      {
        name: "slow",
        command: ["/bin/sh", "-c", "echo begun; test -f a.txt && sleep 3"],
        required: true,
      },
    ];
    await writeSettings(home, { repository, runtimes: { worker }, agents, checks });
    {
      await using server = await startServer(home);
      await using peer = await enterWorld(server);
      await requestWork(peer, agents, "Make it", "shop");
      await peer.first(({ payload }) => /begun/.test(payload.delta ?? ""));
      await server.end("SIGKILL");
    }
    await using server = await startServer(home);
    await using peer = await enterWorld(server);
    const snapshot = (): Payload => peer.told("snapshot").at(-1)?.payload;
    while (snapshot().artifacts[0]?.status !== "delivered") await peer.nextOf("snapshot");
    await server.end();
    const entries = await readEntries(home);
    const names = entries.filter(isStart).map(({ data }) => (data as { name: string }).name);
    assert.deepEqual(names, ["quick", "slow", "slow"]);
    for (const type of ["project.checks_started", "project.checks_finished"]) {
      assert.equal(entries.filter((entry) => entry.type === type).length, 1, type);
    }
  },
);

const isStart = ({ type }: Entry): boolean => type === "workspace.check_started";
