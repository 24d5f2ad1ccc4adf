/** Files and comments named as members of every object, and as paths that lead elsewhere. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import { openModelServer } from "../../kit/model-server/model-server.ts";
import { get } from "../../kit/moments.ts";
import { modelOn, openShop, works } from "../../kit/workshop.ts";

const skip = skipWithout("git");
const NAMES = ["__proto__", "constructor", "toString/then", "a b\u00a0c.txt", "-rf", "x:12 y"];

test(
  "[FILES-12] [FILES-13] [WORLD-41] files of any name are commented on, and read the same after a restart",
  { skip },
  async () => {
    await using model = await openModelServer(
      works(...NAMES.map((path) => ["write", { path, content: "one\ntwo\n" }] as const)),
    );
    await using shop = await openShop({
      runtimes: { local: modelOn(model.baseUrl) },
      agents: [{ id: "agent_eng_1", runtime: "local" }],
    });
    const { atrium, peer } = shop;
    await shop.request("Make it", "shop");
    const { artifact_id } = (await peer.event("artifact_delivered")).payload;
    const on = (path: string): object => ({ path, line: 2, side: "new", text: `${path}\u0000?` });
    const seen = { artifact_id, expected_version: 1, instructions: "" };
    for (const path of ["../README.md", "/etc/passwd", ".git/config", "toString", "nowhere"]) {
      const bad = { ...seen, comments: [on("__proto__"), on(path)] };
      const { type, payload } = await peer.command("request_changes", bad);
      assert.deepEqual([type, payload.reason], ["error", "file.missing"], path);
      assert.match(payload.message, /comments\/1: /, path);
    }
    const stale = { ...seen, expected_version: 9, comments: NAMES.map(on) };
    assert.equal((await peer.command("request_changes", stale)).type, "error");
    await peer.ask("request_changes", { ...seen, comments: NAMES.map(on) });

    const read = async (door: {
      readonly atrium: { readonly url: string; readonly token: string };
    }) => {
      const at = `/api/artifacts/${artifact_id}`;
      const { json } = await get(door, `${at}/comments?version=1`);
      const files = await Promise.all(
        NAMES.map((path) => get(door, `${at}/file?version=1&path=${encodeURIComponent(path)}`)),
      );
      const { json: changes } = await get(door, `${at}/changes?version=1`);
      return { json, files: files.map(({ text }) => text), changes };
    };
    const before = await read(shop);
    const paths = before.json.comments.map(({ path }: { path: string }) => path);
    assert.deepEqual(paths, NAMES);
    for (const { path, text, code, place } of before.json.comments) {
      assert.deepEqual([text, code, place.state], [`${path}?`, ["two"], "same"], path);
    }
    assert.deepEqual(
      before.files,
      NAMES.map(() => "one\ntwo\n"),
    );
    assert.equal(before.changes.files.length, NAMES.length);
    assert.deepEqual(atrium.faults, []);
    await peer[Symbol.asyncDispose]();
    await atrium.close();
    const env = { PATH: process.env["PATH"] ?? "" };
    await using again = await openTestAtrium({ home: shop.home, args: ["--log", "sqlite"], env });
    assert.deepEqual(await read({ atrium: again }), before);
    assert.deepEqual(again.faults, []);
  },
);
