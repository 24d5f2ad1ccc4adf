/** A repository's setup prepares each new worktree, and people decide about its network. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import type { RawPeer } from "../../kit/raw-peer.ts";
import { modelOn, openShop, works, type ShopSettings } from "../../kit/workshop.ts";

const skip = skipWithout("git") || skipWithoutSandbox();
const RERUN = ["run", { command: "cat ready.txt 2>/dev/null || echo nothing" }] as const;
/** Writes whether there is more than the loopback of a sandbox. */
const SETUP = ["/bin/sh", "-c", "tail -n +3 /proc/net/dev | grep -vc lo: > ready.txt; true"];

const agents: ShopSettings["agents"] = [{ id: "agent_eng_1", runtime: "local" }];

interface Approval {
  readonly id: string;
  readonly request: unknown;
}

async function nextApproval(person: RawPeer): Promise<Approval> {
  const { payload } = await person.next(({ event }) => event === "exec.approval.requested");
  return payload as Approval;
}

test(
  "[SHOP-8] a new worktree is prepared once, with the network if a person allows it, and the files are recorded",
  { skip },
  async () => {
    const prompts: string[] = [];
    await using model = await openModelServer((request: ModelRequest) => {
      prompts.push(JSON.stringify(request.body.messages));
      return works(RERUN)(request);
    });
    const runtimes = { local: modelOn(model.baseUrl) };
    await using shop = await openShop({ runtimes, agents, setup: SETUP });
    await using person = await shop.atrium.connect();
    const asked = nextApproval(person);
    const ids = shop.request("Make it", "shop");
    const { id, request } = await asked;
    assert.match(JSON.stringify(request), /setup asks for the network/);
    await person.ask("exec.approval.resolve", { id, decision: "deny" });
    const [task_id = ""] = await ids;
    await shop.peer.event("review_requested");
    assert.match(prompts[0] ?? "", /The folder was prepared with/);
    assert.match(prompts[1] ?? "", /"0\\n/);
    const again = shop.peer.next(({ payload }) => payload.name === "review_requested");
    await shop.peer.ask("rerun_task", { task_id });
    await again;
    const approvals = person.frames.filter(({ event }) => event === "exec.approval.requested");
    assert.equal(approvals.length, 1, "prepared once");
    const entries = await shop.entries();
    const types = entries
      .filter(({ stream }) => stream === `workspace/${task_id}`)
      .map(({ type, data }) => [type, (data as { cause?: string }).cause]);
    assert.deepEqual(types.slice(0, 3), [
      ["workspace.opened", undefined],
      ["workspace.ready", undefined],
      ["workspace.moment", "setup"],
    ]);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[SHOP-8] a setup that fails is told to the agent with the end of its output, and the work goes on",
  { skip },
  async () => {
    const prompts: string[] = [];
    await using model = await openModelServer((request: ModelRequest) => {
      prompts.push(JSON.stringify(request.body.messages));
      return works()(request);
    });
    const runtimes = { local: modelOn(model.baseUrl) };
    const setup = ["/bin/sh", "-c", "echo no such package; exit 3"];
    await using shop = await openShop({ runtimes, agents, setup });
    await using person = await shop.atrium.connect();
    const asked = nextApproval(person);
    const ids = shop.request("Make it", "shop");
    await person.ask("exec.approval.resolve", { id: (await asked).id, decision: "allow-once" });
    await ids;
    await shop.peer.event("review_requested");
    assert.match(prompts[0] ?? "", /ended with exit code 3/);
    assert.match(prompts[0] ?? "", /no such package/);
    assert.doesNotMatch(prompts[0] ?? "", /It had no network/);
  },
);

test(
  "[SHOP-8] a run that is stopped while its setup waits for a person ends at once, and the next one prepares the folder",
  { skip },
  async () => {
    await using model = await openModelServer(works());
    const runtimes = { local: modelOn(model.baseUrl) };
    // The other task keeps the project going.
    const two = [...agents, { id: "agent_eng_2", runtime: "local" }];
    await using shop = await openShop({ runtimes, agents: two, setup: SETUP });
    await using person = await shop.atrium.connect();
    const approvals = (): readonly { readonly id: string }[] =>
      person.frames.flatMap(({ event, payload }) =>
        event === "exec.approval.requested" ? [payload] : [],
      );
    const [task_id = ""] = await shop.request("Make it", "shop");
    while (approvals().length < two.length) await nextApproval(person);
    const again = nextApproval(person);
    await shop.peer.ask("cancel_task", { task_id, confirm: true });
    await shop.peer.event("task_cancelled");
    await shop.peer.ask("rerun_task", { task_id });
    await person.ask("exec.approval.resolve", { id: (await again).id, decision: "deny" });
    await shop.peer.event("review_requested");
    assert.deepEqual(shop.atrium.faults, []);
  },
);
