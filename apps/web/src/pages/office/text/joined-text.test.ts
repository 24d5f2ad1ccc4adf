import assert from "node:assert/strict";
import { test } from "node:test";
import { textsOf } from "../../../i18n/texts.ts";
import {
  describeJoined,
  readOnlyText,
  whatBecameOfIt,
  whenItArrives,
  whereItIsAnswered,
} from "./joined-text.ts";

const words = textsOf("en");

test("[JOIN-11] the page says when a message will arrive, as the program takes it", () => {
  const all = { message_moments: ["tool-result", "turn-end", "prompt"] as const };
  const claude = { message_moments: [...all.message_moments] };
  assert.match(whenItArrives(claude, "working", words), /result of the tool it uses next/);
  assert.match(whenItArrives(claude, "idle", words), /next prompt that is typed/);
  const codex = { message_moments: ["at-once" as const, ...all.message_moments] };
  assert.match(whenItArrives(codex, "idle", words), /idle\. It gets this at once/);
  assert.match(whenItArrives(codex, "working", words), /after the step it is at/);
  const waiting = { message_moments: ["wake" as const, ...all.message_moments] };
  assert.match(whenItArrives(waiting, "idle", words), /at once/);
  assert.match(whenItArrives(waiting, "in_review", words), /at once/);
  assert.match(whenItArrives(waiting, "working", words), /result of the tool it uses next/);
  assert.match(whenItArrives({ message_moments: ["turn-end"] }, "asks", words), /turn ends/);
  assert.match(whenItArrives({ message_moments: [] }, "idle", words), /takes no messages/);
});

test("[JOIN-84] of a message that nobody confirms, the page says so, and of one that was denied", () => {
  assert.equal(whatBecameOfIt({}, words), "waits");
  assert.match(whatBecameOfIt({ offered_at: 1 }, words), /sent; .* not confirmed/);
  assert.match(whatBecameOfIt({ is_denied: true }, words), /turned away/);
  assert.match(whatBecameOfIt({ moment: "wake", offered_at: 1 }, words), /delivered at once/);
});

test("[JOIN-11] the page says where what it asks is answered", () => {
  const told = (...places: ("office" | "terminal")[]): string | undefined =>
    whereItIsAnswered({ answer_places: places }, words);
  assert.match(
    told("office", "terminal") ?? "",
    /here or in its terminal; the first answer counts/,
  );
  assert.match(told("office") ?? "", /Its own dialog stays closed/);
  assert.match(told("terminal") ?? "", /in its terminal, not here/);
  assert.equal(whereItIsAnswered({}, words), undefined);
});

test("[JOIN-11] a joined session is told by program, model, owner, folder and branch", () => {
  const joined = { program: "codex", can_ask: false, message_moments: [] };
  assert.equal(describeJoined(joined, words), "codex");
  assert.equal(
    describeJoined({ ...joined, model: "m", owner: "ann", folder: "/shop", branch: "main" }, words),
    "codex, m, ann, /shop (branch main)",
  );
});

test("[SIGHT-15] in the outline no part of a joined session is longer than 80 characters", () => {
  const long = { program: "codex", model: "🧨".repeat(200), can_ask: false, message_moments: [] };
  assert.equal(describeJoined(long, words), `codex, ${"🧨".repeat(79)}…`);
});

test("[SIGHT-3] of a session that is only read, the page says so and how to join, where that is possible", () => {
  const read = {
    program: "codex",
    can_ask: false,
    message_moments: [],
    source: "transcript",
  } as const;
  assert.equal(
    describeJoined({ ...read, message_moments: [], owner: "ann" }, words),
    "codex, ann, read from its transcript",
  );
  assert.match(readOnlyText(read, words), /nothing can be asked or sent.*atrium join codex/);
  assert.match(readOnlyText({ program: "cline" }, words), /Write in its terminal/);
  assert.doesNotMatch(readOnlyText({ program: "__proto__" }, words), /atrium join/);
});
