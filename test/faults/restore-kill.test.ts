/** A server that is killed while it puts files back: after the files, before the log knows of it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { skipWithout } from "../../scripts/system-programs.ts";
import { calling, get, post, returnsOf, worktreeOf, write } from "../kit/moments.ts";
import { startServer, withHome } from "../kit/server-process.ts";
import { makeBusyRepository, readEntries, requestWork, writeSettings } from "../kit/workshop.ts";
import { enterWorld } from "../kit/world-peer.ts";

const skip = skipWithout("git");

const AGENTS = [{ id: "agent_eng_1", runtime: "local" }];
const KILLS = 4;

test(
  "[FILES-6] a restoration that was cut off after the files is completed by asking again, and every moment can be read",
  { skip },
  async (t) => {
    await using model = await calling([write("a.txt", "one\n"), write("zz.txt", "two\n")]);
    const { baseUrl } = model;
    const local = { type: "model", provider: "openai-compatible", baseUrl, model: "m" };
    await withHome(async (home) => {
      const repository = makeBusyRepository(join(home, "repository"));
      await writeSettings(home, { repository, runtimes: { local }, agents: AGENTS });
      const options = { args: ["--log", "sqlite"], env: { PATH: process.env["PATH"] ?? "" } };
      let taskId = "";
      let moments: readonly number[] = [];
      {
        await using server = await startServer(home, options);
        await using peer = await enterWorld(server);
        [taskId = ""] = await requestWork(peer, AGENTS, "Make it", "shop");
        await peer.event("review_requested");
        moments = await returnsOf({ atrium: server });
      }
      const marker = join(worktreeOf({ home }, taskId), "zz.txt");
      let cutOff = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const wanted = kill % 2;
        const isThere = wanted === 1;
        const body = { seq: moments[wanted] };
        const key = { "idempotency-key": `restore-${kill}` };
        const path = `/api/workspaces/${taskId}/restore`;
        {
          await using server = await startServer(home, options);
          const answer = post({ atrium: server }, path, body, key).catch(() => undefined);
          while (existsSync(marker) !== isThere) await setImmediate();
          await server.end("SIGKILL");
          if ((await answer) === undefined) cutOff += 1;
        }
        await using server = await startServer(home, options);
        const done = await post({ atrium: server }, path, body, key);
        assert.equal(done.status, 200, done.text);
        assert.equal(existsSync(marker), isThere);
        const { json } = await get({ atrium: server }, `/api/projects/${projectOf(taskId)}/files`);
        const names = json.entries.map(({ name }: { name: string }) => name);
        assert.equal(names.includes("zz.txt"), isThere);
      }
      t.diagnostic(`${cutOff} of ${KILLS} were cut off before their answer`);
      assert.ok(cutOff > 0);
      const entries = await readEntries(home);
      const restored = entries.filter(({ type }) => type === "workspace.restored");
      assert.equal(restored.length, KILLS);
      await using server = await startServer(home, options);
      for (const { seq, data } of entries) {
        if (typeof data !== "object" || data === null || !("tree" in data)) continue;
        const of = `/api/projects/${projectOf(taskId)}`;
        const { status, json, text } = await get({ atrium: server }, `${of}/files?seq=${seq}`);
        assert.equal(status, 200, text);
        assert.equal(json.tree, data.tree);
      }
    });
  },
);

test(
  "[FILES-7] a fork goes on after a kill right behind its answer, from the files that were asked for",
  { skip },
  async () => {
    await using model = await calling([write("a.txt", "one\n"), write("zz.txt", "two\n")]);
    const { baseUrl } = model;
    const local = { type: "model", provider: "openai-compatible", baseUrl, model: "m" };
    await withHome(async (home) => {
      const repository = makeBusyRepository(join(home, "repository"));
      await writeSettings(home, { repository, runtimes: { local }, agents: AGENTS });
      const options = { args: ["--log", "sqlite"], env: { PATH: process.env["PATH"] ?? "" } };
      let forkId = "";
      let tree = "";
      {
        await using server = await startServer(home, options);
        const door = { atrium: server };
        await using peer = await enterWorld(server);
        const [taskId = ""] = await requestWork(peer, AGENTS, "Make it", "shop");
        await peer.event("review_requested");
        const [seq = 0] = await returnsOf(door);
        ({ tree } = (await get(door, `/api/projects/${projectOf(taskId)}/files?seq=${seq}`)).json);
        const forked = await post(door, `/api/workspaces/${taskId}/fork`, { seq });
        assert.equal(forked.status, 201, forked.text);
        forkId = forked.json.workspace;
        await server.end("SIGKILL");
      }
      await using server = await startServer(home, options);
      const path = `/api/projects/${projectOf(forkId)}/diff?task=${forkId}`;
      let diff = await get({ atrium: server }, path);
      for (let tries = 0; tries < 300 && diff.json.files?.length !== 1; tries++) {
        await setTimeout(100);
        diff = await get({ atrium: server }, path);
      }
      assert.equal(diff.json.from.tree, tree);
      assert.deepEqual(
        diff.json.files.map(({ path: name }: { path: string }) => name),
        ["zz.txt"],
      );
    });
  },
);

function projectOf(taskId: string): string {
  return `proj_${taskId.split("_")[1]}`;
}
