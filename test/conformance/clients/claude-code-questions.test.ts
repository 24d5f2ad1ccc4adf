/** Questions of the real Claude Code, started by hand in a terminal: answered in the office and there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { runCli } from "../../kit/cli-process.ts";
import { decision, joinedAgent, nextJoined } from "../../kit/joined-office.ts";
import type { Behavior } from "../../kit/model-server/behavior.ts";
import { startServer } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";
import { openClaudeJoinedStage } from "../kit/claude-joined-stage.ts";
import { USAGE, type Asked } from "../kit/claude-stage.ts";
import { submit } from "../kit/joined-stage.ts";
import { findClaudeCode } from "../kit/peer.ts";
import { openTerminal } from "../kit/pseudo-terminal.ts";

const claude = findClaudeCode();
const { skip } = claude;

/** Asks what a line that begins with "Ask: " says, then says what it was told. */
function asks({ said, returned }: Asked): Behavior {
  const [, question] = /^Ask: (.*)$/m.exec(said) ?? [];
  if (question === undefined || returned.length > 0) {
    return { type: "answer", chunks: ["Told: ", ...returned], usage: USAGE };
  }
  const options = ["Wide", "Narrow"].map((label) => ({ label, description: "as told" }));
  const questions = [{ question, header: "Net", options, multiSelect: false }];
  const call = { name: "AskUserQuestion", input: { questions } };
  return { type: "answer", chunks: [], toolCalls: [call], usage: USAGE };
}

const isOf =
  (place: string, state = "open") =>
  ({ prompt, status }: { prompt: string; status: string }): boolean =>
    status === state && prompt.includes(`by-${place}?`);

test(
  "[JOIN-9] a question of Claude Code started by hand is answered in the office and in its terminal",
  { skip },
  async () => {
    await using stage = await openClaudeJoinedStage(asks);
    const { project, home, env, model } = stage;
    const joined = await runCli(["join", "--home", home], { env });
    assert.equal(joined.code, 0, joined.stderr);
    const server = await startServer(home);
    const terminal = openTerminal(claude.path(), ["--permission-mode", "manual"], {
      cwd: project,
      env,
    });
    try {
      const peer = await enterWorld(server);
      await joinedAgent(peer, () => true);
      await terminal.shows(/shortcuts|manual/);
      await submit(terminal, "Ask: Which-net-by-office?");
      const { decision_id } = await decision(peer, isOf("office"));
      await joinedAgent(peer, ({ status, joined: { can_ask } }) => status === "asks" && can_ask);
      // Its own dialog is open meanwhile.
      await terminal.shows(/1\.\s*Wide/);
      const rested = nextJoined(peer, ({ status }) => status === "idle");
      await peer.ask("resolve_decision", { decision_id, choice: "Narrow" });
      await rested;
      const heard = (): string => JSON.stringify(model.requests.map(({ body }) => body));
      assert.match(heard(), /by-office\?\\*"=\\*"Narrow/);
      await submit(terminal, "Ask: Which-net-by-terminal?");
      await decision(peer, isOf("terminal"));
      await terminal.shows(/1\.\s*Wide/);
      const restedThere = nextJoined(peer, ({ status }) => status === "idle");
      // A dialog that was just drawn may not take keys yet.
      const answered = decision(peer, isOf("terminal", "expired"));
      do terminal.type("1");
      while ((await Promise.race([answered, setTimeout(3_000, "again")])) === "again");
      await restedThere;
      assert.match(heard(), /by-terminal\?\\*"=\\*"Wide/);
    } finally {
      await terminal[Symbol.asyncDispose]();
      await server.end();
    }
  },
);
