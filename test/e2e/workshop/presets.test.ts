/** What agents may do in their workspaces without asking, as the settings say for each. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { ACP } from "../../kit/whole-story.ts";
import { openShop } from "../../kit/workshop.ts";

const PRESETS = {
  ask: ["write", "run"],
  edit: ["run"],
  sandbox: [],
} as const;

test(
  "[TOOL-11] each preset of the settings asks people what it is to ask, and what is denied is not done",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    const results: string[] = [];
    await using model = await openModelServer(({ body }) => {
      const done = body.messages.filter(({ role }: { role: string }) => role === "tool");
      const calls = (name: string, input: unknown) =>
        ({ type: "answer", toolCalls: [{ name, input }] }) as const;
      if (done.length === 0) return calls("write", { path: "a.sh", content: "echo from a file" });
      if (done.length === 1) return calls("run", { command: "sh a.sh" });
      results.push(done.map(({ content }: { content: string }) => content).join("\n"));
      return { type: "answer", chunks: ["Done."] };
    });
    for (const [permissions, expected] of Object.entries(PRESETS)) {
      const agent = { id: "agent_eng_1", runtime: "local", permissions };
      await using shop = await openShop({
        runtimes: {
          local: {
            type: "model",
            provider: "openai-compatible",
            baseUrl: model.baseUrl,
            model: "m",
          },
        },
        agents: [agent],
      });
      await using person = await shop.atrium.connect();
      await shop.request("Make it", "shop");
      for (const tool of expected) {
        const { payload } = await person.first(
          ({ event, payload: approval }) =>
            event === "exec.approval.requested" && approval.request.tool === tool,
        );
        const decision = tool === "run" ? "deny" : "allow-once";
        await person.ask("exec.approval.resolve", { id: payload.id, decision });
      }
      await shop.peer.event("review_requested");
      const requests = person.frames.filter(({ event }) => event === "exec.approval.requested");
      assert.equal(requests.length, expected.length, permissions);
      const last = results.at(-1) ?? "";
      assert.match(last, permissions === "sandbox" ? /from a file\n\[exit code 0/ : /said no/);
      assert.match(last, /Wrote a\.sh/);
      assert.deepEqual(shop.atrium.faults, []);
    }
  },
);

test(
  "[AGENT-33] [AGENT-34] [ACP-19] each preset holds for a program too, and what it allows is no person's decision",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    const change = { type: "diff", path: "$PWD/a.sh", newText: "echo high" } as const;
    const steps = acpPrompt(
      { permit: "Write a.sh", tool: "write", about: { kind: "edit", content: [change] } },
      { permit: "sh a.sh", tool: "run", about: { kind: "execute" } },
      { make: "a.sh", content: "echo high" },
      { say: "Done." },
    );
    for (const [permissions, expected] of Object.entries(PRESETS)) {
      const agent = { id: "agent_eng_1", runtime: "acp", permissions };
      await using shop = await openShop({ runtimes: { acp: ACP }, agents: [agent] });
      await using person = await shop.atrium.connect();
      await shop.request(`Make it ${steps}`, "shop");
      for (const tool of expected) {
        const { payload } = await person.first(
          ({ event, payload: approval }) =>
            event === "exec.approval.requested" && approval.request.tool === tool,
        );
        await person.ask("exec.approval.resolve", { id: payload.id, decision: "allow-once" });
      }
      await shop.peer.event("review_requested");
      const countOf = (name: string): number =>
        person.frames.filter(({ event }) => event === name).length;
      assert.equal(countOf("exec.approval.requested"), expected.length, permissions);
      assert.equal(countOf("exec.approval.resolved"), expected.length, permissions);
      const kept = join(shop.home, "workshop/programs");
      const [place = "", ...others] = readdirSync(kept);
      assert.deepEqual(others, []);
      assert.deepEqual(readdirSync(join(kept, place)).toSorted(), ["acp", "acp.json"]);
      assert.deepEqual(shop.atrium.faults, []);
    }
  },
);
