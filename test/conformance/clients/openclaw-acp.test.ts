/** `openclaw acp`: an editor that speaks the Agent Client Protocol talks to our agents through it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { speakJsonRpc } from "../kit/json-rpc.ts";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage, type Stage } from "../kit/stage.ts";

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;

test(
  "[CONF-7] an editor prompts an agent over ACP and hears the reply as it comes",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "ACP bridge" });
    const { prompt, spoken } = await openEditor(stage);
    const ended = await prompt("[[say: pong 42 over ACP]]");
    assert.equal(ended.stopReason, "end_turn");
    assert.equal(spoken(), "pong 42 over ACP");
  },
);

test(
  "[CONF-7] an editor cancels a turn over ACP, and what was said until then is heard",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "ACP bridge" });
    const { editor, sessionId, prompt, spoken } = await openEditor(stage);
    const ended = prompt("[[say: the first words]] [[hang]]");
    await editor.hears(() => spoken().includes("the first words"));
    editor.notify("session/cancel", { sessionId });
    assert.equal((await ended).stopReason, "cancelled");
  },
);

async function openEditor(stage: Stage) {
  const editor = speakJsonRpc(stage.start("acp"));
  const agent = await editor.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
  });
  assert.equal(agent.protocolVersion, 1);
  const opened = await editor.request("session/new", { cwd: stage.home, mcpServers: [] });
  const sessionId = opened.sessionId as string;
  return {
    editor,
    sessionId,
    prompt: (text: string) =>
      editor.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }),
    /** The agent's words, joined from the chunks they came in. */
    spoken: () =>
      editor.heard
        .filter(
          ({ method, params }) => method === "session/update" && params.sessionId === sessionId,
        )
        .filter(({ params }) => params.update.sessionUpdate === "agent_message_chunk")
        .map(({ params }) => params.update.content.text as string)
        .join(""),
  };
}
