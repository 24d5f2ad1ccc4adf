/** What is a file and not the log, read at a node that did not make it: attachments, diffs, the output of checks. */
import assert from "node:assert/strict";
import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestCluster, untilMet, type TestNode } from "../../kit/atrium-cluster.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import {
  makeBusyRepository,
  modelOn,
  requestWork,
  works,
  writeSettings,
} from "../../kit/workshop.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const AGENTS = [{ id: "agent_eng_1", runtime: "local" }];
const CHECKS = [{ name: "words", command: ["/bin/sh", "-c", "cat made.txt"], required: true }];
const WORDS = "words in a file";

async function get({ url, token }: TestNode, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(new URL(path, url), { headers });
  const text = await response.text();
  assert.equal(response.status, 200, `${path}: ${text}`);
  return text;
}

test("[NODE-27] a file attached at one node is given to the agent that another one runs", async () => {
  await using model = await openModelServer(works());
  const settings = {
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "local" }],
  };
  await using cluster = await openTestCluster({ nodes: 2, settings });
  await untilMet(cluster);
  const other = await cluster.other();
  await using peer = await other.connect();
  const content = Buffer.from(WORDS).toString("base64");
  const attachments = [{ fileName: "a.txt", mimeType: "text/plain", content }];
  await send(peer, "run-1", "read it", { attachments });
  assert.equal((await ended(peer, "run-1")).payload.state, "final");
  assert.match(JSON.stringify(model.requests.map(({ body }) => body)), new RegExp(WORDS));
  for (const node of cluster.nodes) assert.deepEqual(node.faults, []);
});

test(
  "[NODE-27] a change, its diff and the output of its checks are read at a node that does not direct",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    await using model = await openModelServer(
      works(["run", { command: `echo "${WORDS}" > made.txt` }]),
    );
    await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-shop-"));
    const repository = makeBusyRepository(join(folder.path, "repository"));
    const runtimes = { local: modelOn(model.baseUrl) };
    await writeSettings(folder.path, { repository, runtimes, agents: AGENTS, checks: CHECKS });
    const file = await readFile(join(folder.path, "atrium.config.json"), "utf8");
    const env = { PATH: process.env["PATH"] ?? "" };
    const settings = JSON.parse(file) as unknown;
    await using cluster = await openTestCluster({ nodes: 2, settings, env });
    await untilMet(cluster);
    const other = await cluster.other();
    await using peer = await enterWorld(other);
    await requestWork(peer, AGENTS, "Make it", "shop");
    const { payload } = await peer.event("artifact_delivered");
    const change = `/api/artifacts/${payload.artifact_id}`;
    assert.match(await get(other, `${change}/changes`), /made\.txt/);
    const { patch } = JSON.parse(await get(other, `${change}/diff?path=made.txt`)) as {
      patch: string;
    };
    assert.match(patch, new RegExp(`^\\+${WORDS}$`, "m"));
    assert.match(await get(other, `${change}/file?path=made.txt`), new RegExp(WORDS));
    const checks = await get(other, `${change}/checks`);
    const [id = ""] = /chk_[\w-]+/.exec(checks) ?? [];
    assert.equal((await get(other, `/api/checks/${id}/output`)).trim(), WORDS, checks);
    for (const node of cluster.nodes) assert.deepEqual(node.faults, []);
  },
);
