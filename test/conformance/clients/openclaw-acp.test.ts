/** `openclaw acp`: an editor that speaks the Agent Client Protocol talks to our agents through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { speakJsonRpc, type JsonRpc } from "../kit/json-rpc.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");

test(
  "[CONF-20] an editor prompts an agent over ACP and hears the reply as it comes",
  { skip: openclaw.skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "ACP bridge" });
    const editor = speakJsonRpc(stage.start("acp"));
    const agent = await editor.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    assert.equal(agent.protocolVersion, 1);
    const { sessionId } = await editor.request("session/new", { cwd: stage.home, mcpServers: [] });
    const ended = await editor.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text: "[[say: pong 42 over ACP]]" }],
    });
    assert.equal(ended.stopReason, "end_turn");
    assert.equal(spokenIn(editor, sessionId), "pong 42 over ACP");
  },
);

/** The agent's words, joined from the chunks they came in. */
function spokenIn({ heard }: JsonRpc, sessionId: string): string {
  return heard
    .filter(({ method, params }) => method === "session/update" && params.sessionId === sessionId)
    .filter(({ params }) => params.update.sessionUpdate === "agent_message_chunk")
    .map(({ params }) => params.update.content.text as string)
    .join("");
}
