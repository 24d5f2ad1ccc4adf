/** What the settings say of one agent, seen from outside: its folder, its tools, its limits. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";

const ACP_AGENT = fileURLToPath(new URL("../../kit/acp-agent.ts", import.meta.url));

const member = (id: string, more: object = {}): object => ({
  id: `agent_${id}`,
  name: id,
  role: "engineer",
  ...more,
});

interface Office extends AsyncDisposable {
  readonly home: string;
  readonly atrium: TestAtrium;
  readonly peer: Connected;
  /** How the run ended, as the gateway tells it. */
  ask(handle: string, message: string): Promise<Frame["payload"]>;
}

async function openOffice(settings: (home: string) => object): Promise<Office> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(mkdtempDisposableSync(join(tmpdir(), "atrium-agent-settings-")));
  const home = folder.path;
  writeFileSync(join(home, "atrium.config.json"), JSON.stringify(settings(home)));
  const env = (name: string): string | undefined => process.env[name];
  const atrium = opened.use(await openTestAtrium({ home, readEnv: env }));
  const peer = opened.use(await atrium.connect());
  const held = opened.move();
  let asked = 0;
  return {
    home,
    atrium,
    peer,
    async ask(handle, message) {
      const runId = `${handle}-${++asked}`;
      const ended = peer.first(
        ({ event, payload }) =>
          event === "chat" &&
          payload.runId === runId &&
          (payload.state === "final" || payload.state === "error"),
      );
      const sessionKey = `agent:${handle}:main`;
      await peer.ask("chat.send", { sessionKey, message, idempotencyKey: runId });
      return (await ended).payload;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const textOf = (payload: Frame["payload"]): string => payload.message.content[0].text.trim();

test("[AGENT-20] an agent works in its own folder, and the others in their runtime's", async () => {
  await using office = await openOffice((home) => {
    for (const name of ["shared", "own"]) mkdirSync(join(home, name));
    return {
      runtimes: { script: { type: "command", command: ["sh"], cwd: join(home, "shared") } },
      agents: [
        member("a", { runtime: "script" }),
        member("b", { runtime: "script", cwd: "own" }),
        member("c", { runtime: "script", cwd: join(home, "own") }),
      ],
    };
  });
  const home = await realpath(office.home);
  assert.equal(textOf(await office.ask("main", "pwd")), join(home, "shared"));
  assert.equal(textOf(await office.ask("b", "pwd")), join(home, "own"));
  assert.equal(textOf(await office.ask("c", "pwd")), join(home, "own"));
  assert.deepEqual(office.atrium.faults, []);
});

test("[AGENT-20] agents with folders of their own have processes of their own, so many for each folder", async () => {
  await using office = await openOffice((home) => {
    mkdirSync(join(home, "own"));
    const command = [process.execPath, ACP_AGENT];
    return {
      runtimes: { acp: { type: "acp", command, maxProcesses: 1 } },
      agents: [
        member("a", { runtime: "acp" }),
        member("b", { runtime: "acp", cwd: "own" }),
        member("c", { runtime: "acp", cwd: "own" }),
      ],
    };
  });
  const pidOf = async (handle: string): Promise<string> =>
    textOf(await office.ask(handle, acpPrompt({ tell: "pid" })));
  const [a, b] = [await pidOf("main"), await pidOf("b")];
  assert.deepEqual([await pidOf("main"), await pidOf("b")], [a, b]);
  assert.notEqual(a, b);
  // In this folder another has taken its place.
  await pidOf("c");
  assert.notEqual(await pidOf("b"), b);
  assert.equal(await pidOf("main"), a);
  assert.deepEqual(office.atrium.faults, []);
});

test("[AGENT-21] an agent has the tools its settings allow, and no others", async () => {
  await using office = await openOffice(() => ({
    agents: [
      member("a"),
      member("b", { tools: ["now", "sessions_*"] }),
      member("c", { tools: [] }),
    ],
  }));
  const catalog = async (agentId: string): Promise<string[]> => {
    const { groups } = await office.peer.ask("tools.catalog", { agentId });
    const ids = groups.flatMap(({ tools }: Frame["payload"]) =>
      tools.map(({ id }: { id: string }) => id),
    );
    return ids.toSorted();
  };
  assert.ok((await catalog("main")).includes("reply"));
  const allowed = ["now", "sessions_history", "sessions_list", "sessions_send"];
  assert.deepEqual(await catalog("b"), allowed);
  assert.deepEqual(await catalog("c"), []);
  assert.match(textOf(await office.ask("b", "[[tool: now {}]]")), /"utc"/);
  const refused = textOf(await office.ask("b", '[[tool: reply {"text":"psst"}]]'));
  assert.match(refused, /There is no tool reply\. Tools: sessions_list, .*now\./);
  assert.match(textOf(await office.ask("c", "[[tool: now {}]]")), /no tool now\. Tools: none/);
  assert.deepEqual(office.atrium.faults, []);
});

test("[AGENT-21] a tool nobody has is an error that names the agent and the tool", async () => {
  const open = (tools: readonly string[]): Promise<Office> =>
    openOffice(() => ({ agents: [member("a", { tools })] }));
  await assert.rejects(open(["now", "repply"]), /agent_a: there is no tool "repply"; .* reply, /);
  await using _office = await open(["rep*", "node_kitchen_system_which"]);
});

test("[RUN-4] an agent's own limits take the place of everyone's", async () => {
  await using office = await openOffice(() => ({
    agents: [
      member("a"),
      member("b", { limits: { run: { tokens: 1_000 } } }),
      member("c", { limits: { conversation: { tokens: 1_000 } } }),
      member("d", { limits: { turnTimeoutMs: 50 } }),
    ],
    budgets: { run: { tokens: 50_000 } },
  }));
  const { peer } = office;
  const spend = "[[tokens: 5000]] [[say: spent]]";
  assert.equal(textOf(await office.ask("main", spend)), "spent");
  for (const handle of ["b", "c"]) {
    const asked = peer.event("question.requested");
    const ended = office.ask(handle, spend);
    const { payload } = await asked;
    assert.match(JSON.stringify(payload), /budget is 1000\. Go on\?/);
    await peer.ask("question.answer", { id: payload.id, text: "Stop" });
    assert.equal((await ended).state, "error");
  }
  const late = await office.ask("d", "[[hang]]");
  assert.match(late.errorMessage, /took longer than/);
  assert.deepEqual(office.atrium.faults, []);
});
