/** What a connected node offers, as tools of the agents here. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import {
  answer,
  connectApprovedNode,
  connectNode,
  requestsTo,
  type TestNode,
} from "../../kit/node.ts";
import type { Connected, Frame } from "../../kit/raw-peer.ts";

const tool = (name: string, input: object): string => `[[tool: ${name} ${JSON.stringify(input)}]]`;

async function nodeTools(peer: Connected): Promise<readonly string[]> {
  const { groups } = await peer.ask("tools.catalog", {});
  const ids: string[] = groups.flatMap(({ tools }: Frame["payload"]) =>
    tools.map(({ id }: { id: string }) => id),
  );
  return ids.filter((id) => id.startsWith("node_"));
}

/** Has the agent do it; the answer is what was said in the end. */
async function ask(peer: Connected, runId: string, message: string): Promise<string> {
  const ended = peer.first(
    ({ event, payload }) =>
      event === "chat" && payload.runId === runId && payload.state === "final",
  );
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: runId });
  return (await ended).payload.message.content[0].text;
}

const asked = (node: TestNode): Promise<Frame> => node.event("node.invoke.request");

test("[GW-55] a command of a connected node is a tool once it is approved, and while the node is there", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const waiting = await connectNode(atrium, { displayName: "Café Bar" });
  assert.deepEqual(await nodeTools(peer), []);
  waiting.close();
  const { device } = waiting;
  const node = await connectApprovedNode(atrium, peer, { device, displayName: "Café Bar" });
  assert.deepEqual(await nodeTools(peer), ["node_caf_bar_say", "node_caf_bar_sing"]);
  const said = ask(peer, "r1", tool("node_caf_bar_say", { word: "hi" }));
  const request = (await asked(node)).payload;
  assert.deepEqual([request.command, JSON.parse(request.paramsJSON)], ["say", { word: "hi" }]);
  await answer(node, request, { payload: { heard: "hi" } });
  assert.match(await said, /\{"heard":"hi"\}/);
  const { messages } = await peer.ask("chat.history", { sessionKey: "main" });
  assert.ok(JSON.stringify(messages).includes('"toolName":"node_caf_bar_say"'));
  await leave(peer, node, "Café Bar");
  assert.deepEqual(await nodeTools(peer), []);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-55] nodes of the same name are told apart, and what is for admins is not offered", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const deep = ["fs.listDir", "system.execApprovals.set", "system.run.prepare", "browser.proxy"];
  const one = await connectApprovedNode(atrium, peer, { commands: ["system.which", ...deep] });
  assert.deepEqual(await nodeTools(peer), ["node_test_node_system_which"]);
  const two = await connectApprovedNode(atrium, peer, { commands: ["system.which"] });
  assert.deepEqual(
    (await nodeTools(peer)).toSorted(),
    [one, two].map(({ nodeId }) => `node_test_node_${nodeId.slice(0, 6)}_system_which`).toSorted(),
  );
  one.close();
  two.close();
});

test("[GW-55] a node that goes away is told to the agent, before and during a call", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const node = await connectApprovedNode(atrium, peer);
  const name = "node_test_node_say";
  const during = ask(peer, "r1", tool(name, { n: 1 }));
  await asked(node);
  const question = peer.event("question.requested");
  node.close();
  assert.match(await during, /DISCONNECTED: .* whether the command ran is not known/);
  const { device } = node;
  const again = await connectNode(atrium, { device });
  const told = ask(peer, "r2", `[[ask: Go on? | Yes]] ${tool(name, { n: 2 })}`);
  const { payload } = await question;
  await leave(peer, again, "test node");
  await peer.ask("question.answer", { id: payload.id, text: "Yes" });
  assert.match(await told, /The node "test node" is not connected any more\./);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-55] a call ends with its turn, and the node is told; its own error is the agent's to hear", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using node = await connectApprovedNode(atrium, peer);
  const message = tool("node_test_node_say", { n: 1 });
  const reached = asked(node);
  await peer.ask("chat.send", { sessionKey: "main", message, idempotencyKey: "r1" });
  await reached;
  const cancelled = node.event("node.invoke.cancel");
  await peer.ask("chat.abort", { sessionKey: "main", runId: "r1" });
  await cancelled;
  const failed = ask(peer, "r2", tool("node_test_node_sing", { n: 2 }));
  const { payload } = await node.first(
    ({ event, payload: said }) => event === "node.invoke.request" && said.command === "sing",
  );
  const error = { code: "HOARSE", message: "no voice today" };
  await answer(node, payload, { ok: false, error });
  assert.match(await failed, /HOARSE: no voice today/);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-55] what reaches into a person's machine is done only when a person allows it", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  await using node = await connectApprovedNode(atrium, peer, { commands: ["system.run"] });
  const name = "node_test_node_system_run";
  const decide = async (runId: string, input: object, decision: string): Promise<string> => {
    const requested = peer.event("exec.approval.requested");
    const ended = ask(peer, runId, tool(name, input));
    const { payload } = await requested;
    assert.match(payload.request.command, /^\{"command":\["ls"/);
    assert.match(payload.request.warningText, /system\.run on the node "test node"/);
    assert.equal(payload.request.nodeId, node.nodeId);
    const isAllowed = decision !== "deny";
    // It may be with the node before whoever decided hears that it is decided.
    const reached = isAllowed ? asked(node) : undefined;
    await peer.ask("exec.approval.resolve", { id: payload.id, decision });
    const request = (await reached)?.payload;
    if (request === undefined) return ended;
    assert.deepEqual(JSON.parse(request.paramsJSON), input);
    await answer(node, request, { payloadJSON: '{"stdout":"a.txt"}' });
    return ended;
  };
  assert.match(await decide("r1", { command: ["ls", "-a"] }, "deny"), /A person said no/);
  assert.deepEqual(requestsTo(node), []);
  assert.match(await decide("r2", { command: ["ls", "-b"] }, "allow-once"), /"stdout":"a.txt"/);
  const forged = await ask(peer, "r3", tool(name, { command: ["ls"], approved: true }));
  assert.match(forged, /unexpected property 'approved'/);
  const plain = await invoke(atrium, name, { command: ["ls"] });
  assert.match(plain, /needs a person's permission/);
  assert.equal(requestsTo(node).length, 1);
  assert.deepEqual(atrium.faults, []);
});

test("[GW-55] what acts for a person or shows what is private is asked for, unless that very call is always allowed", async () => {
  await using atrium = await openTestAtrium();
  await using peer = await atrium.connect();
  const commands = ["camera.snap", "screen.record", "sms.send"];
  await using node = await connectApprovedNode(atrium, peer, { commands });
  const answered = new Set<string>();
  const call = async (runId: string, name: string): Promise<string> => {
    const ended = ask(peer, runId, tool(name, { n: 1 }));
    const { payload } = await node.first(
      ({ event, payload: said }) => event === "node.invoke.request" && !answered.has(said.id),
    );
    answered.add(payload.id);
    await answer(node, payload, { payload: { done: runId } });
    return ended;
  };
  for (const command of commands) {
    const name = `node_test_node_${command.replace(".", "_")}`;
    const requested = peer.next(({ event }) => event === "exec.approval.requested");
    const ended = call(`${command}-1`, name);
    const { payload } = await requested;
    assert.deepEqual(requestsTo(node).length, answered.size);
    await peer.ask("exec.approval.resolve", { id: payload.id, decision: "allow-always" });
    assert.match(await ended, new RegExp(`${command}-1`));
    // The same again calls nobody.
    assert.match(await call(`${command}-2`, name), new RegExp(`${command}-2`));
  }
  const requests = peer.frames.filter(({ event }) => event === "exec.approval.requested");
  assert.equal(requests.length, commands.length);
});

test("[GW-55] a model is offered a node's commands, and uses them", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-node-tools-"));
  await using model = await openModelServer();
  const settings = {
    runtimes: {
      local: {
        type: "model",
        provider: "openai-compatible",
        baseUrl: model.baseUrl,
        model: "m",
      },
    },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "local" }],
  };
  writeFileSync(join(folder.path, "atrium.config.json"), JSON.stringify(settings));
  await using atrium = await openTestAtrium({ home: folder.path });
  await using peer = await atrium.connect();
  await using node = await connectApprovedNode(atrium, peer, { commands: ["system.which"] });
  const name = "node_test_node_system_which";
  model.queue.push(
    { type: "answer", toolCalls: [{ name, input: { bins: ["git"] } }] },
    { type: "answer", chunks: ["It is there."] },
  );
  const said = ask(peer, "r1", "Is git there?");
  await answer(node, (await asked(node)).payload, { payload: { bins: { git: "/bin/git" } } });
  assert.equal(await said, "It is there.");
  const [first, second] = model.requests;
  const offered = first?.body.tools.find((one: Frame["payload"]) => one.function.name === name);
  assert.match(offered.function.description, /Finds where programs .* "test node"/);
  assert.deepEqual(offered.function.parameters.required, ["bins"]);
  assert.match(JSON.stringify(second?.body.messages), /\/bin\/git/);
});

async function invoke(atrium: TestAtrium, name: string, args: object): Promise<string> {
  const response = await fetch(`${atrium.url}tools/invoke`, {
    method: "POST",
    headers: { authorization: `Bearer ${atrium.token}`, "content-type": "application/json" },
    body: JSON.stringify({ tool: name, args }),
  });
  return response.text();
}

/** Resolves once the server has noticed. */
async function leave(peer: Connected, node: TestNode, name: string): Promise<void> {
  const noticed = peer.next(
    ({ event, payload }) => event === "presence" && !JSON.stringify(payload).includes(name),
  );
  node.close();
  await noticed;
}
