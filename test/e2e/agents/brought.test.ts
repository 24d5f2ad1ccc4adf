/** What agents and repositories bring along, with a server that runs: set while it does, and in effect at once. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openModelServer, type ModelRequest } from "../../kit/model-server/model-server.ts";
import { askSettings, patchSettings } from "../../kit/settings.ts";
import { makeSkill, SKILL_PURPOSE, TIDES_SCRIPT, tidesServer } from "../../kit/tides/tides.ts";
import { modelOn, openShop, works } from "../../kit/workshop.ts";

const KIT = join(dirname(TIDES_SCRIPT), "../../..");

function toolsIn({ body }: ModelRequest): readonly string[] {
  const tools: { readonly function: { readonly name: string } }[] = body.tools ?? [];
  return tools.map(({ function: { name } }) => name);
}

test(
  "[AGENT-28] a task in a repository has the servers and skills that were set for it, and its change has nothing of them",
  { skip: skipWithout("git") || skipWithoutSandbox() },
  async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-brought-"));
    await using model = await openModelServer(
      works(
        ["mcp__tides__tide", { at: "Brest" }],
        ["read_skill", { name: "tide-tables" }],
        ["write", { path: "tide.txt", content: "6:13" }],
      ),
    );
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const tides = { ...tidesServer(), readable: [KIT] };
    const patch = {
      repositories: { shop: { mcpServers: { tides }, skills: [makeSkill(folder.path)] } },
    };
    const { status, body } = await patchSettings(shop.atrium, patch);
    assert.equal(status, 200, JSON.stringify(body));
    const headers = { authorization: `Bearer ${shop.atrium.token}` };
    const listed = await fetch(new URL("/api/repositories", shop.atrium.url), { headers });
    assert.doesNotMatch(await listed.text(), /tides|mcpServers|skills/);
    await shop.request("When is high water?", "shop");
    const { payload } = await shop.peer.event("review_requested");
    const [first, ...later] = model.requests;
    assert.ok(first !== undefined);
    assert.ok(toolsIn(first).includes("mcp__tides__tide"), String(toolsIn(first)));
    assert.ok(JSON.stringify(first.body).includes(SKILL_PURPOSE));
    assert.match(JSON.stringify(later.at(-1)?.body.messages), /High water at Brest: 6:13/);
    assert.match(JSON.stringify(later.at(-1)?.body.messages), /Always say NEAP-AND-SPRING/);
    assert.match(JSON.stringify(payload), /tide\.txt|artifact/);
    const changes = await shop.atrium.connect();
    await changes.ask("chat.send", {
      sessionKey: "agent:eng_1:main",
      message: "Hello",
      idempotencyKey: "k1",
    });
    await changes.first(({ event, payload: { state } }) => event === "chat" && state === "final");
    await changes[Symbol.asyncDispose]();
    const chat = model.requests.at(-1);
    assert.ok(chat !== undefined && !toolsIn(chat).includes("mcp__tides__tide"));
    const entries = await shop.entries();
    const changed = entries.filter(({ type }) => type === "settings.changed");
    assert.match(JSON.stringify(changed), /repositories\.shop\.mcpServers/);
    const sealed = JSON.stringify(entries.filter(({ type }) => type.startsWith("change.")));
    assert.doesNotMatch(sealed, /SKILL\.md|tides-mcp/);
    assert.deepEqual(readdirSync(folder.path), ["tide-tables"]);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test("[AGENT-26] an agent gets, changes and loses a server while the server runs, at every door", async () => {
  await using model = await openModelServer();
  const settings = {
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "local" }],
  };
  await using atrium = await openTestAtrium({
    settings,
    env: { PATH: process.env["PATH"] ?? "", TIDES_KEY: "sk-tides-0123456789" },
  });
  await using peer = await atrium.connect();
  const offered = async (n: number): Promise<readonly string[]> => {
    const runId = `r${n}`;
    await peer.ask("chat.send", { sessionKey: "main", message: "Hi", idempotencyKey: runId });
    await peer.first(
      ({ event, payload }) =>
        event === "chat" && payload.state === "final" && payload.runId === runId,
    );
    const last = model.requests.at(-1);
    return last === undefined ? [] : toolsIn(last).filter((name) => name.startsWith("mcp__"));
  };
  assert.deepEqual(await offered(1), []);
  const tides = { ...tidesServer(), env: ["TIDES_KEY"] };
  const raw = JSON.stringify({ agents: [{ id: "agent_bd", mcpServers: { tides } }] });
  await peer.ask("config.patch", { raw });
  assert.deepEqual(await offered(2), ["mcp__tides__tide", "mcp__tides__environment"]);
  const shown = JSON.stringify(await peer.ask("config.get", {}));
  assert.match(shown, /"mcpServers":\["tides"\]/);
  assert.doesNotMatch(shown, /tides-mcp|TIDES_KEY|sk-tides/);
  const missing = { agents: { agent_bd: { mcpServers: { tides: { env: ["NO_SUCH_KEY"] } } } } };
  const refused = await patchSettings(atrium, missing);
  assert.deepEqual(
    [refused.status, /NO_SUCH_KEY is not set/.test(JSON.stringify(refused.body))],
    [400, true],
  );
  assert.equal((await offered(3)).length, 2);
  const { body: current } = await askSettings(atrium, "GET");
  assert.match(JSON.stringify(current.keys), /"TIDES_KEY","source":"environment"/);
  await patchSettings(atrium, { agents: { agent_bd: { mcpServers: { tides: null } } } });
  assert.deepEqual(await offered(4), []);
  assert.deepEqual(atrium.faults, []);
});

test("[AGENT-30] a folder that is no skill is refused, and nothing changes", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-brought-"));
  await using model = await openModelServer();
  const settings = {
    runtimes: { local: modelOn(model.baseUrl) },
    agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "local" }],
  };
  await using atrium = await openTestAtrium({ settings });
  const set = (skills: readonly string[]) =>
    patchSettings(atrium, { agents: { agent_bd: { skills } } });
  const refused = await set([folder.path]);
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(refused.body), /agents: agent_bd: skills: there is no SKILL\.md/);
  const skill = makeSkill(folder.path);
  const { status, body } = await set([skill]);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.settings.values.crew[0].skills, [skill]);
});
