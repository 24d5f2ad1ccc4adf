/** Agents in processes of their own, behind the whole server. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { acpPrompt } from "../kit/acp-agent.ts";
import { openTestAtrium } from "../kit/atrium.ts";
import { isAlive } from "../kit/processes.ts";

const ACP_AGENT = fileURLToPath(new URL("../kit/acp-agent.ts", import.meta.url));

test("[AGENT-100] whatever an agent has running ends with the server", async () => {
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
