/** The built plugin between a double of Claude Code's channel side and a real server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestAtrium } from "../../kit/atrium.ts";
import { ECHO_TOOL, messageOf, openTestSession } from "../../kit/bridge.ts";
import { launchPlugin, startPlugin } from "../../kit/channel-host.ts";

test("[PLUGIN-1] it declares a channel, and nothing newer than Claude Code's channels take", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = launchPlugin(session.env);
  const { probe, hello } = await plugin.begin();
  assert.equal(probe.error.code, -32_601);
  assert.equal(hello.protocolVersion, "2025-11-25");
  assert.deepEqual(hello.capabilities, {
    tools: { listChanged: true },
    experimental: { "claude/channel": {}, "claude/channel/permission": {} },
  });
  assert.match(hello.instructions, /do not see this session/);
});

test("[PLUGIN-2] messages arrive as channel notifications, in order, with legal meta", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  session.deliver(messageOf("early"));
  await using plugin = await startPlugin(session.env);
  await plugin.until(() => plugin.messages.length === 1);
  const attachments = [{ name: "a.png", bytes: 7 }];
  const meta = { chat_id: "agent:main:main", user: "alice", "x-room": 7, attachments };
  session.deliver({ request_id: "m2", content: "line one\nline two ✓ </channel>", meta });
  session.deliver(messageOf("m3"));
  session.deliver(messageOf("m3"));
  session.deliver(messageOf("m4"));
  await plugin.until(() => plugin.messages.length === 4);
  assert.deepEqual(
    plugin.messages.map(({ content }) => content),
    ["text of early", "line one\nline two ✓ </channel>", "text of m3", "text of m4"],
  );
  assert.deepEqual(plugin.messages[1]?.meta, {
    chat_id: "agent:main:main",
    user: "alice",
    x_room: "7",
    attachment_count: "1",
    attachments: JSON.stringify(attachments),
  });
  assert.deepEqual(plugin.rejected, []);
});

test("[PLUGIN-1] [PLUGIN-3] tools are listed, called, and answered", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge, {
    callTool: async (name, args) => ({
      text: `${name} ${JSON.stringify(args)}`,
      isError: (args as { text?: string }).text === "bad",
    }),
  });
  await using plugin = await startPlugin(session.env);
  const { result } = await plugin.ask("tools/list", {});
  assert.deepEqual(result.tools, [
    { name: "echo", description: ECHO_TOOL.description, inputSchema: ECHO_TOOL.input },
  ]);
  assert.deepEqual(await plugin.callTool("echo", { text: "hi" }), {
    content: [{ type: "text", text: 'echo {"text":"hi"}' }],
    isError: false,
  });
  const failed = await plugin.callTool("echo", { text: "bad" });
  assert.deepEqual([failed.isError, failed.content[0].text], [true, 'echo {"text":"bad"}']);
  const unknown = await plugin.callTool("nothing");
  assert.equal(unknown.isError, true);
  assert.match(unknown.content[0].text, /no tool called "nothing"/);
});

test("[PLUGIN-5] a permission prompt goes out and its answer comes back", async () => {
  await using atrium = await openTestAtrium();
  const asked = Promise.withResolvers<unknown>();
  const { session } = openTestSession(atrium.bridge, { onPermissionRequest: asked.resolve });
  await using plugin = await startPlugin(session.env);
  await plugin.toolNames();
  const prompt = "notifications/claude/channel/permission_request";
  plugin.tell(prompt, { request_id: "loooo", tool_name: "Bash" });
  plugin.tell(prompt, {
    request_id: "abxyz",
    tool_name: "Bash",
    description: "Run shell command",
    input_preview: "npm publish",
  });
  assert.deepEqual(await asked.promise, {
    id: "abxyz",
    tool: "Bash",
    args: { input_preview: "npm publish" },
    rationale: "Run shell command",
  });
  session.replyPermission("abxyz", "allow");
  await plugin.until(() => plugin.verdicts.length === 1);
  assert.deepEqual(plugin.verdicts, [{ request_id: "abxyz", behavior: "allow" }]);
});

test("[PLUGIN-4] [PLUGIN-5] [PLUGIN-8] when the server goes, calls say so; when it is back, everything goes on", async () => {
  const token = "kept-by-whoever-started-it";
  const first = await openTestAtrium();
  const started = Promise.withResolvers<void>();
  const { session } = openTestSession(first.bridge, {
    token,
    callTool: () => {
      started.resolve();
      return new Promise(() => undefined);
    },
  });
  await using plugin = await startPlugin(session.env);
  assert.deepEqual(await plugin.toolNames(), ["echo"]);
  const underWay = plugin.callTool("echo");
  await started.promise;
  await first.close();
  const lost = await underWay;
  assert.equal(lost.isError, true);
  assert.match(lost.content[0].text, /lost while echo was under way .*not known whether/);
  // Asked while nobody is there.
  plugin.tell("notifications/claude/channel/permission_request", {
    request_id: "mnopq",
    tool_name: "Bash",
    description: "",
    input_preview: "ls",
  });
  const early = plugin.callTool("echo", { text: "again" });

  await using second = await openTestAtrium({ args: ["--port", String(first.port)] });
  const asked = Promise.withResolvers<{ id: string }>();
  const tools = [ECHO_TOOL, { ...ECHO_TOOL, name: "second" }];
  const again = openTestSession(second.bridge, {
    token,
    tools,
    onPermissionRequest: asked.resolve,
  });
  again.say("m1");
  await plugin.until(() => plugin.messages.length === 1);
  assert.equal((await asked.promise).id, "mnopq");
  assert.deepEqual(plugin.notices, ["notifications/tools/list_changed"]);
  assert.deepEqual(await plugin.toolNames(), ["echo", "second"]);
  const done = await early;
  assert.match(done.content[0].text, /^echo \{"text":"again"\}$|was not called/);
  assert.match((await plugin.callTool("second")).content[0].text, /^second /);
});

test("[PLUGIN-4] a call that finds nobody ends with an error", async () => {
  const atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = await startPlugin(session.env);
  await plugin.toolNames();
  await atrium.close();
  const { isError, content } = await plugin.callTool("echo");
  assert.equal(isError, true);
  // Whether the plugin has heard yet that the server is gone is a matter of moments.
  assert.match(content[0].text, /cannot be reached right now.* was not called|was lost while echo/);
});

test("[PLUGIN-8] a plugin that is not wanted stays away and says why", async () => {
  await using atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = await startPlugin({ ...session.env, SYNTHESIS_BRIDGE_TOKEN: "wrong-one" });
  const { isError, content } = await plugin.callTool("echo");
  assert.equal(isError, true);
  assert.match(content[0].text, /no longer serves this session \(wrong token for this session\)/);
  assert.match(plugin.stderr, /for good: wrong token/);
  session.close("done");
});

test("[PLUGIN-7] [PLUGIN-9] it ends when its input ends, and has said nothing it should not", async () => {
  await using atrium = await openTestAtrium();
  const { session, heard } = openTestSession(atrium.bridge);
  await using plugin = await startPlugin(session.env);
  await plugin.toolNames();
  plugin.endInput();
  assert.equal(await plugin.exited, 0);
  assert.deepEqual(plugin.noise, []);
  assert.match(plugin.stderr, /^atrium-plugin: connected\n/);
  assert.ok(!plugin.stderr.includes(String(session.env["SYNTHESIS_BRIDGE_TOKEN"])));
  while (session.isConnected) await new Promise(setImmediate);
  assert.deepEqual(heard.lines, ["in", "out"]);
});

test("[PLUGIN-9] it ends on SIGTERM, connected or not", async () => {
  const atrium = await openTestAtrium();
  const { session } = openTestSession(atrium.bridge);
  await using plugin = await startPlugin(session.env);
  await plugin.toolNames();
  plugin.child.kill("SIGTERM");
  assert.equal(await plugin.exited, 0);
  await atrium.close();
  await using lonely = await startPlugin(session.env);
  lonely.child.kill("SIGTERM");
  assert.equal(await lonely.exited, 0);
});

test("[PLUGIN-9] with a part of its settings it names the others", async () => {
  await using bare = launchPlugin({ SYNTHESIS_BRIDGE_URL: "ws://127.0.0.1:1/bridge" });
  assert.equal(await bare.exited, 1);
  assert.match(bare.stderr, /SYNTHESIS_BRIDGE_TOKEN, SYNTHESIS_OPENCLAW_SESSION/);
  await using odd = launchPlugin({
    SYNTHESIS_BRIDGE_URL: "http://127.0.0.1:1/bridge",
    SYNTHESIS_BRIDGE_TOKEN: "x",
    SYNTHESIS_OPENCLAW_SESSION: "x",
    SYNTHESIS_CLAUDE_SESSION: "x",
  });
  assert.equal(await odd.exited, 1);
  assert.match(odd.stderr, /not the address of a WebSocket/);
});
