/** What detection finds, as it is told at every door of a real server. */
import assert from "node:assert/strict";
import { chmod, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import type { ResultOf } from "@atrium/wire";
import { agentsDiscover } from "@atrium/wire/gateway";
import { openTestAtrium } from "../../kit/atrium.ts";
import { gone } from "../../kit/processes.ts";

type Answer = ResultOf<typeof agentsDiscover> & { readonly programs: readonly string[] };

const KEY = "key-0123456789abcdefghijklmnop";

test("[DETECT-10] HTTP and the gateway tell the same to whoever may read, and nothing to anyone else", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-found-"));
  const script = `#!/bin/sh\necho "$*" >> "${folder.path}/asked"\necho 0.61.0\n`;
  await writeFile(join(folder.path, "gemini"), script);
  await chmod(join(folder.path, "gemini"), 0o755);
  await using atrium = await openTestAtrium({ env: { PATH: folder.path, GEMINI_API_KEY: KEY } });
  const ask = async (query = "", headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${atrium.token}`;
    return fetch(new URL(`/api/agent-programs${query}`, atrium.url), {
      headers: { authorization, ...headers },
    });
  };
  const answer = await ask();
  assert.equal(answer.status, 200);
  const { programs, ...overHttp } = (await answer.json()) as Answer;
  assert.deepEqual(programs, ["gemini"]);
  assert.ok(Compile(agentsDiscover.result).Check(overHttp));
  await using peer = await atrium.connect({ scopes: ["operator.read"] });
  const { checkedAtMs, ...atGateway } = await peer.ask("agents.discover", {});
  assert.ok(checkedAtMs >= overHttp.checkedAtMs);
  assert.deepEqual(atGateway.agentPrograms, overHttp.agentPrograms);
  const gemini = overHttp.agentPrograms.find(({ id }) => id === "gemini");
  assert.deepEqual(gemini, {
    id: "gemini",
    name: "Gemini CLI",
    state: "ready",
    message: "Ready, with GEMINI_API_KEY of the server's environment.",
    path: join(folder.path, "gemini"),
    version: "0.61.0",
    variables: ["GEMINI_API_KEY"],
    keys: ["GEMINI_API_KEY"],
    install: "npm install -g @google/gemini-cli",
    runtime: {
      type: "acp",
      command: ["gemini", "--acp", "--skip-trust"],
      env: ["GEMINI_API_KEY"],
    },
  });
  assert.doesNotMatch(JSON.stringify([overHttp, atGateway]), new RegExp(KEY));

  await peer.ask("agents.discover", { refresh: true });
  assert.equal((await ask("?refresh=true")).status, 200);
  assert.equal((await ask("?refresh=false")).status, 200);
  const asked = await readFile(join(folder.path, "asked"), "utf8");
  assert.equal(asked, "--version\n".repeat(3));
  assert.equal((await ask("?refresh=maybe")).status, 400);
  assert.equal((await ask("?fresh=true")).status, 400);
  assert.equal((await ask("", { authorization: "Bearer wrong" })).status, 401);
  await using stranger = await atrium.connect({ scopes: ["operator.approvals"] });
  await assert.rejects(stranger.ask("agents.discover", {}), /operator\.read/);
  assert.deepEqual(atrium.faults, []);
});

test("[DETECT-7] a server that closes ends the programs it asks, and still answers", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-found-"));
  const file = join(folder.path, "pid");
  const script = `#!/bin/sh\necho $$ > "${file}"\nexec /bin/sleep 1000\n`;
  await writeFile(join(folder.path, "codex"), script, { mode: 0o755 });
  const atrium = await openTestAtrium({ env: { PATH: folder.path } });
  const headers = { authorization: `Bearer ${atrium.token}` };
  const answer = fetch(new URL("/api/agent-programs", atrium.url), { headers });
  let pid = "";
  while (!pid.endsWith("\n")) pid = await readFile(file, "utf8").catch(() => "");
  await atrium.close();
  const { agentPrograms } = (await (await answer).json()) as Answer;
  assert.equal(agentPrograms.find(({ id }) => id === "codex")?.state, "broken");
  await gone([Number(pid)]);
  assert.deepEqual(atrium.faults, []);
});
