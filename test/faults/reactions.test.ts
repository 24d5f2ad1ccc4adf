/** A real server that cannot do what follows from an entry of its log. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createDispatch, project } from "@atrium/core";
import { openSqliteLog } from "@atrium/log";
import { startServer, withHome } from "../kit/server-process.ts";

test("[SERVER-9] a project whose file is lost cannot be planned: the journal says so, /metrics counts it, and others are", async () => {
  await withHome(async (home) => {
    {
      await using server = await startServer(home);
      assert.equal(await server.end(), 0);
    }
    await submit(home, "proj_fine", []);
    await submit(home, "proj_lost", [
      { name: "gone.txt", mediaType: "text/plain", bytes: 4, digest: "0".repeat(64) },
    ]);
    await using server = await startServer(home);
    const headers = { authorization: `Bearer ${server.token}` };
    const metrics = async (): Promise<string> =>
      (await fetch(new URL("metrics", server.url), { headers })).text();
    const fault = /^atrium_listener_faults\{listener="reactions"\} 1$/m;
    while (!fault.test(await metrics())) await sleep(50);
    await using peer = await server.connect();
    const planned = await peer.ask("agent.wait", { runId: "plan-proj_fine-1", timeoutMs: 60_000 });
    assert.equal(planned.status, "ok");
    const journal = await readFile(join(home, "atrium.log"), "utf8");
    assert.match(journal, /a reaction failed.*proj_lost/);
  });
});

async function submit(
  home: string,
  projectId: string,
  attachments: readonly {
    readonly name: string;
    readonly mediaType: string;
    readonly bytes: number;
    readonly digest: string;
  }[],
): Promise<void> {
  await using log = await openSqliteLog({ file: join(home, "atrium.db") });
  const clock = { now: () => Date.now() };
  const dispatch = createDispatch({ log, clock, settled: () => Promise.resolve() });
  const by = { id: "ann", name: "Ann", via: "world" } as const;
  const request = { title: "A page", text: "A page", constraints: {}, attachments, by };
  const at = clock.now();
  const done = await dispatch(project, projectId, { type: "submit", at, projectId, ...request });
  assert.ok(done.ok);
}
