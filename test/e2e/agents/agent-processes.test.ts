/** Agents in processes of their own, behind the whole server. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { acpPrompt } from "../../kit/acp-agent.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { answer, connectApprovedNode } from "../../kit/node.ts";
import { gone, isAlive, startedWith } from "../../kit/processes.ts";

const ACP_AGENT = fileURLToPath(new URL("../../kit/acp-agent.ts", import.meta.url));

test("[AGENT-9] whatever an agent has running ends with the server", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-agents-"));
  const crew = { name: "X", role: "engineer" };
  const config = {
    runtimes: {
      acp: { type: "acp", command: [process.execPath, ACP_AGENT], cwd: home },
      script: { type: "command", command: ["sh"], cwd: home },
    },
    agents: [
      { ...crew, id: "agent_acp", runtime: "acp" },
      { ...crew, id: "agent_script", runtime: "script" },
    ],
  };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
  const atrium = await openTestAtrium({ home });
  await using peer = await atrium.connect();
  const send = (handle: string, message: string): Promise<unknown> =>
    peer.ask("chat.send", { sessionKey: `agent:${handle}:main`, message, idempotencyKey: handle });
  const said = async (handle: string, state: string): Promise<number> => {
    const { payload } = await peer.first(
      ({ payload: told }) => told?.runId === handle && told.state === state,
    );
    return Number(payload?.message.content[0].text);
  };
  const idle = said("main", "final");
  const busy = said("script", "delta");
  await send("main", acpPrompt({ tell: "pid" }));
  await send("script", "echo $$; sleep 1000");
  const pids = [await idle, await busy];
  assert.deepEqual(pids.map(isAlive), [true, true]);
  await atrium.close();
  assert.deepEqual(pids.map(isAlive), [false, false]);
  assert.deepEqual(atrium.faults, []);
  await rm(home, { recursive: true, force: true });
});

test("[ACP-2] after a restart of the server an ACP agent goes on with its session", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-agents-"));
  const command = [process.execPath, ACP_AGENT, "resume"];
  const config = {
    runtimes: { acp: { type: "acp", command, cwd: home } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "acp" }],
  };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
  const say = async (run: string, message: string): Promise<string> => {
    await using atrium = await openTestAtrium({ home, args: ["--log", "sqlite"] });
    await using peer = await atrium.connect();
    const ended = peer.first(({ payload }) => payload?.runId === run && payload.state === "final");
    await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: run });
    const said: string = (await ended).payload.message.content[0].text;
    assert.deepEqual(atrium.faults, []);
    return said;
  };
  assert.equal(await say("r1", acpPrompt({ say: "one" })), "one");
  const prompts = (await say("r2", acpPrompt({ echo: "session" }))).split("\n---\n");
  assert.equal(prompts.length, 2);
  assert.match(prompts[0] ?? "", /"say":"one"/);
  assert.doesNotMatch(prompts[1] ?? "", /What was said before/);
  await rm(home, { recursive: true, force: true });
});

test("[ACP-6] an ACP agent uses our tools, and what a node offers; nothing is left of it", async () => {
  await using opened = new AsyncDisposableStack();
  const home = await mkdtemp(join(tmpdir(), "atrium-agents-"));
  opened.defer(() => rm(home, { recursive: true, force: true }));
  const config = {
    runtimes: { acp: { type: "acp", command: [process.execPath, ACP_AGENT], cwd: home } },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "acp" }],
  };
  await writeFile(join(home, "atrium.config.json"), JSON.stringify(config));
  const atrium = await openTestAtrium({ home });
  opened.defer(() => atrium.close());
  const peer = opened.use(await atrium.connect({ caps: ["tool-events"] }));
  const node = opened.use(await connectApprovedNode(atrium, peer, { commands: ["say"] }));
  const ended = peer.first(({ payload }) => payload?.runId === "r1" && payload.state === "final");
  const asked = peer.event("question.requested");
  const invoked = node.event("node.invoke.request");
  const message = acpPrompt(
    { tell: "tools" },
    { useTool: "reply", input: { text: "I am on it." } },
    { useTool: "progress", input: { text: "Writing" } },
    { useTool: "ask", input: { question: "Which color?", options: ["Red", "Blue"] } },
    { useTool: "deliver_artifact", input: { name: "plan.md", content: "# Plan" } },
    { useTool: "node_test_node_say", input: { word: "hi" } },
    { useTool: "no_such_tool" },
  );
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "r1" });
  await peer.ask("question.answer", { id: (await asked).payload.id, text: "Blue" });
  await answer(node, (await invoked).payload, { payload: { heard: "hi" } });
  const said: string = (await ended).payload.message.content[0].text;
  for (const part of [
    '"node_test_node_say"',
    String.raw`{\"answer\":\"Blue\"}`,
    String.raw`{\"heard\":\"hi\"}`,
    String.raw`\"delivered\":true`,
    String.raw`There is no tool called \"no_such_tool\"`,
  ]) {
    assert.ok(said.includes(part), `${part} in ${said}`);
  }
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  const shown = JSON.stringify(messages);
  assert.ok(shown.includes('"text":"I am on it."') && shown.includes('"fileName":"plan.md"'));
  const told = peer.frames.find(({ payload }) => payload?.data?.phase === "progress");
  assert.equal(told?.payload.data.message, "Writing");
  const plugins = startedWith(`SYNTHESIS_BRIDGE_URL=${atrium.wsUrl}bridge`);
  assert.equal(plugins.length, 1);
  await opened.disposeAsync();
  await gone(plugins);
  assert.deepEqual(atrium.faults, []);
});
