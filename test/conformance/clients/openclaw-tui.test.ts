/** The real terminal client, in a pseudo-terminal: what a person would see and type. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findOpenClaw } from "../kit/peer.ts";
import { openStage } from "../kit/stage.ts";
import { isTurnEnd } from "../kit/wiretap.ts";

const openclaw = findOpenClaw("2026.9.6");
const { skip } = openclaw;

test(
  "[CONF-9] the TUI shows the history, sends what is typed and draws the reply",
  { skip },
  async () => {
    await using stage = await openStage(openclaw, { client: "TUI" });
    await using peer = await stage.server.connect();
    await peer.ask("chat.inject", { sessionKey: "main", message: "said before the TUI came" });
    const terminal = stage.startInTerminal("tui");
    await terminal.shows(/said before the TUI came/);
    await terminal.shows(/connected/);
    terminal.type("[[say: pong 42 in the terminal]]");
    await terminal.shows(/pong 42 in the terminal\]\]/);
    terminal.type("\r");
    await terminal.shows(/(?<!say: )pong 42 in the terminal/);
    const sent = stage.wire.frames.find(({ method }) => method === "chat.send");
    assert.equal(sent?.params.message, "[[say: pong 42 in the terminal]]");
  },
);

test("[CONF-9] the TUI draws a reply as it comes, and Escape ends the turn", { skip }, async () => {
  await using stage = await openStage(openclaw, { client: "TUI" });
  const terminal = stage.startInTerminal("tui");
  await terminal.shows(/connected/);
  terminal.type("[[say: the first words]] [[hang]]");
  await terminal.shows(/hang\]\]/);
  terminal.type("\r");
  await terminal.shows(/(?<!say: )the first words/);
  assert.equal(stage.wire.frames.some(isTurnEnd), false, "drawn while the turn was under way");
  terminal.type("\u001B");
  await terminal.shows(/abort/i);
  await stage.wire.first(isTurnEnd);
  await stage.wire.first(isTurnEnd);
  assert.ok(stage.wire.called().includes("chat.abort"));
  assert.deepEqual(
    stage.wire.frames.filter(isTurnEnd).map(({ payload }) => payload.state),
    ["aborted"],
  );
});
