import assert from "node:assert/strict";
import { mkdtempDisposable, readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { build } from "vite";

const ROOT = join(import.meta.dirname, "..");

test("[WEB-1] the build is static files named by their content, with the 3D office apart", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "atrium-web-"));
  await build({ root: ROOT, logLevel: "error", build: { outDir: folder.path } });
  const files = await readdir(folder.path, { recursive: true });
  const assets = files.filter((name) => name.startsWith("assets/"));
  for (const name of assets) assert.match(name, /-[\w-]{8}\.(?:js|css|svg)$/);
  assert.deepEqual(
    files.filter((name) => name.endsWith(".html")),
    ["index.html"],
  );

  const page = await readFile(join(folder.path, "index.html"), "utf8");
  assert.doesNotMatch(page, /<script(?![^>]* src=)|<style|\son\w+=| style=/);
  const sizes = new Map<string, number>();
  for (const name of assets) {
    sizes.set(name, gzipSync(await readFile(join(folder.path, name))).length);
  }
  const office = [...sizes].filter(
    ([name]) => name.includes("mount-office") && name.endsWith(".js"),
  );
  assert.equal(office.length, 1);
  assert.ok(!page.includes("mount-office"), "the page waits for the 3D office");
  // Loaded when a change is opened.
  const review = [...sizes].filter(([name]) => name.includes("change-review"));
  assert.equal(review.length, 1);
  assert.ok((review[0]?.[1] ?? 0) < 60_000, `${review[0]?.[1]} bytes of review`);
  assert.ok(!page.includes("change-review"), "the page waits for the review");
  const first = [...sizes].filter(
    ([name]) => name.endsWith(".js") && !/mount-office|change-review/.test(name),
  );
  const firstBytes = first.reduce((sum, [, bytes]) => sum + bytes, 0);
  assert.ok(firstBytes > 0 && firstBytes < 450_000, `${firstBytes} bytes before the office`);
  assert.ok((office[0]?.[1] ?? 0) < 320_000, `${office[0]?.[1]} bytes of office`);
});
