/** A message that wakes an idle session of Qwen Code, at its socket, beside the hooks that take messages too. */
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  openQwenDouble,
  SESSION_ID,
  TOKEN,
  type QwenDouble,
} from "../../../apps/server/src/joined/qwen/testing/qwen-double.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { filesWith } from "../../kit/files-with.ts";
import { openHookedSession, type HookedSession } from "../../kit/hooked-session.ts";
import { joinedAgent, type JoinedAgent } from "../../kit/joined-office.ts";
import { startServer, type ServerProcess } from "../../kit/server-process.ts";
import { enterWorld } from "../../kit/world-peer.ts";

const skip = process.platform === "linux" ? skipWithout("curl") : "processes are told on Linux";

interface Stage extends AsyncDisposable {
  readonly home: string;
  readonly qwen: QwenDouble;
  readonly session: HookedSession;
  start(): Promise<ServerProcess>;
}

/** As `atrium join qwen --wake` leaves it. */
async function openStage(): Promise<Stage> {
  const opened = new AsyncDisposableStack();
  const { path: home } = opened.use(await mkdtempDisposable(join(tmpdir(), "atrium-wake-")));
  await mkdir(join(home, "joined"), { mode: 0o700 });
  const qwen = opened.use(await openQwenDouble());
  const kept = join(home, "joined", "qwen-controller.json");
  await writeFile(kept, JSON.stringify({ folder: qwen.folder, id: "c_00000000", token: TOKEN }));
  await chmod(kept, 0o600);
  const pid = String(Number.parseInt(qwen.process, 10));
  const options = {
    home,
    program: "qwen",
    sessionId: SESSION_ID,
    env: { CLAUDE_PID: pid },
  } as const;
  const session = opened.use(await openHookedSession(options));
  return {
    home,
    qwen,
    session,
    start: async () => opened.use(await startServer(home)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

const canWake = ({ joined }: JoinedAgent): boolean => joined.message_moments.includes("wake");
const isFirst =
  (isSo: (message: { moment?: string; offered_at?: number }) => boolean) =>
  ({ joined }: JoinedAgent): boolean =>
    joined.messages?.[0] !== undefined && isSo(joined.messages[0]);

test(
  "[JOIN-80] [JOIN-81] a message wakes an idle Qwen Code, the page says so before, and no hook has it again",
  { skip },
  async () => {
    await using stage = await openStage();
    const { qwen, session } = stage;
    const server = await stage.start();
    await using peer = await enterWorld(server);
    await session.hook("SessionStart");
    const { agent_id } = await joinedAgent(peer, canWake);
    await peer.ask("leave_message", { agent_id, text: "Mind the tide." });
    await joinedAgent(
      peer,
      isFirst(({ moment }) => moment === "wake"),
    );
    assert.equal(await session.hook("UserPromptSubmit", { prompt: "Hi" }), "");
    await joinedAgent(peer, (agent) => agent.status === "working" && !canWake(agent));
    assert.equal(await session.hook("Stop"), "");
    assert.deepEqual(qwen.read, ["tester left a message in Atrium: Mind the tide."]);
  },
);

test(
  "[JOIN-82] a server that is killed before the receipt has it read once, by socket and hooks together",
  { skip },
  async () => {
    await using stage = await openStage();
    const { qwen, session } = stage;
    const first = await stage.start();
    await session.hook("SessionStart");
    const before = await enterWorld(first);
    const { agent_id } = await joinedAgent(before, canWake);
    qwen.setMute(true);
    await before.ask("leave_message", { agent_id, text: "Mind the tide." });
    await joinedAgent(
      before,
      isFirst(({ offered_at: at }) => at !== undefined),
    );
    await first.end("SIGKILL");
    qwen.setMute(false);
    const second = await stage.start();
    // It is at work with it, as far as anybody can tell.
    for (const event of ["UserPromptSubmit", "Stop"]) {
      assert.equal(await session.hook(event, { prompt: "Hi" }), "");
    }
    await using peer = await enterWorld(second);
    await joinedAgent(
      peer,
      isFirst(({ moment }) => moment === "wake"),
    );
    assert.equal(qwen.read.length, 1);
    assert.equal(await session.hook("UserPromptSubmit", { prompt: "Hi" }), "");
  },
);

test(
  "[JOIN-87] [SECRET-2] the token of waking is in its own file of the home, and in no answer of the server",
  { skip },
  async () => {
    await using stage = await openStage();
    const server = await stage.start();
    await using peer = await enterWorld(server);
    const { session } = stage;
    await session.hook("SessionStart", { model: TOKEN });
    const { agent_id } = await joinedAgent(peer, canWake);
    await peer.ask("leave_message", { agent_id, text: "Mind the tide." });
    await joinedAgent(
      peer,
      isFirst(({ moment }) => moment === "wake"),
    );
    const tool_input = { command: `echo ${TOKEN}` };
    await session.hook("PreToolUse", { tool_name: "Bash", tool_input, tool_use_id: "t1" });
    await joinedAgent(peer, ({ joined }) => joined.doing?.includes("[key]") === true);
    assert.ok(!JSON.stringify(peer.messages).includes(TOKEN));
    await server.end("SIGTERM");
    const { stdout, stderr } = await server.exited;
    assert.ok(!`${stdout}${stderr}`.includes(TOKEN));
    assert.deepEqual(await filesWith(stage.home, TOKEN), ["joined/qwen-controller.json"]);
  },
);
