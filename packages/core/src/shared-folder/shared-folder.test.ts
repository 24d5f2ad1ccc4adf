import assert from "node:assert/strict";
import { test } from "node:test";
import { accept } from "../engine/refusal.ts";
import { findEventProblem } from "../stored-events/event-problem.ts";
import { given } from "../testing/index.ts";
import { SHARED_FOLDER, sharedFolder } from "./shared-folder.ts";

const first = { folderId: "f1", path: "/srv/atrium", node: "a" };
const claimed = { type: "shared-folder.claimed", ...first } as const;

test("[NODE-27] the first node names the shared folder, and others share it whatever they call it", () => {
  const claim = { type: "claim", ...first } as const;
  assert.deepEqual(given(sharedFolder).when(claim), accept([claimed]));
  const elsewhere = { ...claim, path: "/mnt/x", node: "b" };
  assert.deepEqual(given(sharedFolder, claimed).when(elsewhere), accept([]));
});

test("[NODE-27] another folder is refused, and both are named", () => {
  const other = { type: "claim", folderId: "f2", path: "/mnt/x", node: "b" } as const;
  const outcome = given(sharedFolder, claimed).when(other);
  assert.ok(!outcome.ok);
  assert.equal(outcome.code, "shared-folder.differs");
  for (const word of ["f1", "f2", "/mnt/x", "/srv/atrium", "a sees"]) {
    assert.ok(outcome.detail?.includes(word), word);
  }
});

test("[NODE-27] what was claimed is read back as it was written", () => {
  const stream = `shared-folder/${SHARED_FOLDER}`;
  const entry = { seq: 1, stream, type: claimed.type, at: 1, data: sharedFolder.write(claimed) };
  assert.equal(findEventProblem(entry), undefined);
  assert.deepEqual(sharedFolder.read(entry), claimed);
});
