import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_BYTES, readAttachedFile, sizeText, sortFiles } from "./attached-files.ts";

const sized = (name: string, size: number) => ({ name, size });

test("[PAGE-9] what is too large is told from what no room is left for", () => {
  const chosen = [
    sized("a", 5),
    sized("huge", MAX_BYTES + 1),
    ...[1, 2, 3].map((n) => sized(`big${n}`, MAX_BYTES)),
    sized("b", 1),
  ];
  const { taken, tooLarge, tooMany } = sortFiles(chosen, [{ bytes: 3 }]);
  assert.deepEqual(
    taken.map(({ name }) => name),
    ["a", "big1", "big2", "b"],
  );
  assert.deepEqual([tooLarge, tooMany], [["huge"], ["big3"]]);
  const nine = Array.from({ length: 9 }, () => ({ bytes: 1 }));
  assert.deepEqual(sortFiles([sized("x", 1), sized("y", 1)], nine).tooMany, ["y"]);
});

test("[PAGE-9] a file is read whole, under a type that says whether it is text", async () => {
  const text = "ä".repeat(40_000);
  const read = await readAttachedFile(new File([text], "notes.md"));
  assert.equal(Buffer.from(read.data, "base64").toString(), text);
  assert.deepEqual([read.mediaType, read.bytes], ["text/plain", 80_000]);
  const typeOf = async (name: string, type: string): Promise<string> =>
    (await readAttachedFile(new File(["x"], name, { type }))).mediaType;
  assert.equal(await typeOf("a.png", "image/png"), "image/png");
  assert.equal(await typeOf("a.html", "text/html;charset=utf-8"), "text/html");
  assert.equal(await typeOf("a.bin", ""), "application/octet-stream");
  assert.deepEqual(
    [9, 1_500, 2_400_000].map((bytes) => sizeText(bytes, "en")),
    ["9 B", "1.5 kB", "2.4 MB"],
  );
});
