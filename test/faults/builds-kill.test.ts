/** Builds and a server that is killed under them, again and again. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { assertWholeBuild, BuildApi, type ToldEvent } from "../kit/builds.ts";
import { chooseSeed, createRandom } from "../kit/random.ts";
import { startServer, withHome } from "../kit/server-process.ts";

const KILLS = 6;
const BUILDS = 3;
/** Without `run`, for which people would be asked where there is no sandbox. */
const TOOLS = ["todo", "list", "read", "write", "edit", "search", "changes"];
const CREW = {
  runtimes: { brisk: { type: "rehearsal", pace: 0.15 } },
  agents: [{ id: "agent_bd", name: "BD", role: "front desk", runtime: "brisk", tools: TOOLS }],
};

test("[BUILD-12] builds go on over kill -9, in the middle of a step and while they wait", async (t) => {
  const seed = chooseSeed();
  t.diagnostic(`seed ${seed}`);
  const random = createRandom(seed);
  await withHome(async (home) => {
    await writeFile(join(home, "atrium.config.json"), JSON.stringify(CREW));
    const args = ["--config", join(home, "atrium.config.json")];
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      await using server = await startServer(home, { args });
      const api = new BuildApi(server);
      while (ids.length < BUILDS) ids.push(await api.start(`Build bot ${ids.length}`));
      const watching = Promise.allSettled(ids.map((id) => api.see(id)));
      await setTimeout(200 + random() * 500);
      await server.end("SIGKILL");
      await watching;
    }
    await using server = await startServer(home, { args });
    const api = new BuildApi(server);
    for (const id of ids) {
      const rest = await finish(api, id);
      const told = await Array.fromAsync(api.events(id));
      assert.ok(rest.length <= told.length);
      assertWholeBuild(told);
    }
  });
});

/** Answers where it still waits, and follows it to its end. */
async function finish(api: BuildApi, id: string): Promise<ToldEvent[]> {
  const told: ToldEvent[] = [];
  const { build } = (await api.get(`/${id}`)).body;
  if (build.stage === "completed") return told;
  for await (const event of api.events(id)) {
    told.push(event);
    if (event.type !== "question.requested") continue;
    const { stage } = (await api.get(`/${id}`)).body.build;
    if (stage === "waiting") await api.answer(id, { question_id: "audience", option_id: "me" });
  }
  return told;
}
