/** Tools that return much: the log has the head and the tail, and all of it can be read until it is erased. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openTestAtrium, type TestAtrium } from "../../kit/atrium.ts";
import { ended, send } from "../../kit/chat-runs.ts";
import { filesWith } from "../../kit/files-with.ts";
import type { Frame } from "../../kit/raw-peer.ts";
import { withHome } from "../../kit/server-process.ts";

const LINES = 200_000;

/** An agent with a tool of its own that returns megabytes, and the server's token among them. */
const AGENT = `
const token = require("node:fs").readFileSync("token", "utf8").trim();
const lines = Array.from({ length: ${LINES} }, (_, n) => "line " + n + "\\n");
lines[${LINES / 2}] = "the token is " + token + "\\n";
const say = (line) => process.stdout.write(JSON.stringify(line) + "\\n");
say({ type: "tool.called", id: "c/1", name: "Bash", input: { command: "seq" } });
say({ type: "tool.returned", id: "c/1", text: lines.join("") });
say({ type: "tool.called", id: "c2", name: "Bash", input: {} });
say({ type: "tool.returned", id: "c2", text: "short" });
say({ type: "text", delta: "done" });
`;

const read = (atrium: TestAtrium, path: string, headers: object = {}): Promise<Response> =>
  fetch(new URL(path, atrium.url), {
    headers: { authorization: `Bearer ${atrium.token}`, ...headers },
  });

test("[RUN-16] [WORLD-26] a result of megabytes is cut in the log, read whole, and erased with its conversation", async () => {
  await withHome(async (home) => {
    const settings = {
      runtimes: {
        script: { type: "command", command: [process.execPath, "agent.cjs"], cwd: home },
      },
      agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "script" }],
    };
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(settings));
    await writeFile(join(home, "agent.cjs"), AGENT);
    await using atrium = await openTestAtrium({ home });
    await using peer = await atrium.connect({ caps: ["tool-events"] });
    const { key: sessionKey } = await peer.ask("sessions.create", { key: "agent:main:long" });
    await send(peer, "r1", "go", { sessionKey });
    await ended(peer, "r1");

    const path = "/api/runs/r1/calls/c%2F1/output";
    const { messages } = await peer.ask("chat.history", { sessionKey });
    const [long, short] = messages.filter(({ role }: Frame["payload"]) => role === "toolResult");
    const text: string = long.content[0].text;
    assert.match(text, /^line 0\n[^]*… \d+ lines left out; \d+ bytes in all …\n[^]*line 199999\n$/);
    assert.ok(text.length < 30_200);
    assert.deepEqual([long.details.outputPath, short.details], [path, undefined]);
    const told = peer.frames.find(
      ({ event, payload }) => event === "agent" && payload.data.phase === "result",
    );
    assert.deepEqual(told?.payload.data.result.details, long.details);

    const response = await read(atrium, path);
    assert.equal(response.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(response.headers.get("content-security-policy") ?? "", /sandbox/);
    const etag = response.headers.get("etag") ?? "";
    const whole = await response.text();
    assert.equal(whole.split("\n").length, LINES + 1);
    assert.equal(Buffer.byteLength(whole), long.details.outputBytes);
    assert.ok(whole.includes("the token is [key]\n") && !whole.includes(atrium.token));
    assert.equal((await read(atrium, path, { "if-none-match": etag })).status, 304);
    assert.equal(await (await read(atrium, "/api/runs/r1/calls/c2/output")).text(), "short");
    assert.equal((await fetch(new URL(path, atrium.url))).status, 401);
    for (const [wrong, code] of [
      ["/api/runs/r1/calls/__proto__/output", "call.missing"],
      ["/api/runs/__proto__/calls/c2/output", "run.missing"],
    ] as const) {
      const refused = await read(atrium, wrong);
      assert.equal(refused.status, 404);
      assert.match(await refused.text(), new RegExp(`"${code}"`));
    }

    const blobs = join(home, "blobs");
    assert.equal((await filesWith(blobs, "line 150000")).length, 1);
    await peer.ask("sessions.delete", { key: sessionKey, deleteTranscript: true });
    assert.deepEqual(await filesWith(blobs, "line"), []);
    assert.equal(await (await read(atrium, path)).text(), "");
    assert.deepEqual(atrium.faults, []);
  });
});
