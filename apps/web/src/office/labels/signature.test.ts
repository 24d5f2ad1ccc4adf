import assert from "node:assert/strict";
import { test } from "node:test";
import { signatureOf } from "./signature.ts";

test("[SIGHT-13] a signature has model and owner of a session, and runtime and model of the crew", () => {
  const joined = { program: "codex", can_ask: false, message_moments: [] };
  const session = { runtime: "codex", is_visitor: true } as const;
  assert.equal(
    signatureOf({ ...session, joined: { ...joined, model: "m", owner: "ann" } }),
    "m · ann",
  );
  assert.equal(signatureOf({ ...session, joined: { ...joined, owner: "ann" } }), "ann");
  assert.equal(signatureOf({ ...session, joined }), "");
  assert.equal(signatureOf({ runtime: "local", model: "qwen3:8b" }), "local · qwen3:8b");
  assert.equal(signatureOf({ runtime: "rehearsal", is_rehearsal: true }), "");
  assert.equal(signatureOf({ runtime: "otlp", is_visitor: true }), "");
});
