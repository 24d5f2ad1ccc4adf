/** kill -9 while settings change: the file has one text or the other, and the log says which. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openSqliteLog } from "@atrium/log";
import { startServer } from "../kit/server-process.ts";
import { patchSettings } from "../kit/settings.ts";

const ROUNDS = 4;

interface SettingsEntry {
  readonly type: string;
  readonly data: { readonly after?: string };
}

async function lastOf(home: string): Promise<SettingsEntry | undefined> {
  await using log = await openSqliteLog({ file: join(home, "atrium.db") });
  const entries = await Array.fromAsync(log.read({ after: 0 }));
  const last = entries.findLast(({ stream }) => stream.startsWith("settings/"));
  return last as SettingsEntry | undefined;
}

test("[SET-10] killed at any moment of a change, the server starts with a whole file and a log that agrees", async () => {
  const home = await mkdtemp(join(tmpdir(), "atrium-killed-"));
  const file = join(home, "atrium.config.json");
  try {
    let known = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const server = await startServer(home);
      if (round === 1) {
        assert.equal((await patchSettings(server, { office: { meetingMs: 0 } })).status, 200);
      }
      let acknowledged = known;
      const changing = (async (): Promise<void> => {
        for (let value = round * 100; ; value += 1) {
          const { status } = await patchSettings(server, { office: { meetingMs: value } });
          if (status === 200) acknowledged = value;
        }
      })().catch(() => undefined);
      // Any moment will do: what must hold does not depend on it.
      await setTimeout(20 * round + 7);
      await server.end("SIGKILL");
      await changing;
      const text = await readFile(file, "utf8");
      known = (JSON.parse(text) as { office: { meetingMs: number } }).office.meetingMs;
      assert.ok(
        known >= acknowledged,
        `${known} is older than ${acknowledged}, which was acknowledged`,
      );
      const again = await startServer(home);
      await again.end("SIGTERM");
      const last = await lastOf(home);
      const digest = createHash("sha256")
        .update(await readFile(file))
        .digest("hex");
      const { after = digest } = last?.type === "settings.changed" ? last.data : {};
      assert.equal(after, digest, "the newest change is the one in the file");
      assert.match(last?.type ?? "", /^settings\.(?:changed|reverted|found)$/);
    }
    const left = (await readdir(home)).filter((name) => name.startsWith(".atrium.config.json."));
    assert.deepEqual(left, [], "what a killed change left is swept away");
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20 });
  }
});
