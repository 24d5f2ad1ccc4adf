import assert from "node:assert/strict";
import { test } from "node:test";
import { Compile } from "@atrium/schema";
import { WORLD_COMMANDS, WORLD_ERRORS, WORLD_LIMITS } from "@atrium/wire/world";
import { textsOf } from "../../i18n/texts.ts";
import type { SentCommand } from "../../world/world.ts";
import { errorText } from "../feedback/error-text.ts";
import { findTooLong } from "../feedback/input-limits.ts";

const words = textsOf("en");
const split = (titles: string[]): SentCommand => ({
  name: "split_into_tasks",
  data: { artifact_id: "art_a", task_titles: titles },
});
const titles = (count: number): string[] => Array.from({ length: count }, (_, at) => `T${at}`);

test("[WEB-34] what is too much is said before it is sent: how many tasks too many, and which is too long", () => {
  assert.equal(findTooLong(split(titles(12)), words), undefined);
  assert.equal(
    findTooLong(split(titles(15)), words),
    "You entered 15 tasks. The limit is 12. Remove 3.",
  );
  assert.equal(
    findTooLong(split(["Short", "x".repeat(121)]), words),
    "The title of task 2 has 121 characters. The limit is 120.",
  );
  assert.match(
    findTooLong(split(titles(13)), textsOf("de")) ?? "",
    /^Sie haben 13 Aufgaben eingegeben/,
  );
});

test("[WEB-34] what passes here the protocol takes, and what does not it would refuse", () => {
  const text = (length: number): string => "x".repeat(length);
  const { text: most, answer } = WORLD_LIMITS;
  const cases: readonly ((over: number) => SentCommand)[] = [
    (over) => ({ name: "submit_request", data: { text: text(most + over) } }),
    (over) => ({ name: "chat", data: { text: text(most + over) } }),
    (over) => ({
      name: "request_changes",
      data: { artifact_id: "art_a", instructions: text(most + over) },
    }),
    (over) => ({
      name: "resolve_decision",
      data: { decision_id: "dec_a", choice: text(answer + over) },
    }),
    (over) => ({
      name: "resolve_decision",
      data: { decision_id: "dec_a", choice: "x", note: text(answer + over) },
    }),
    (over) => split(titles(12 + over)),
    (over) => split([text(120 + over)]),
  ];
  for (const make of cases) {
    for (const over of [0, 1]) {
      const asked = make(over);
      const isTaken = Compile(WORLD_COMMANDS[asked.name]).Check(asked.data);
      assert.equal(isTaken, over === 0, asked.name);
      assert.equal(findTooLong(asked, words) === undefined, isTaken, asked.name);
    }
  }
});

test("[WEB-34] why not is told in words, without the names and places that programs go by", () => {
  for (const language of ["en", "de"] as const) {
    const catalogue = textsOf(language);
    const reasons = [undefined, "no.such.reason", "toString", ...Object.keys(words.refusalReasons)];
    for (const code of [...WORLD_ERRORS, "STALE"] as const) {
      for (const reason of reasons) {
        assert.match(errorText({ code, reason }, catalogue), /^[A-ZÄÖÜ][^/_]{8,}\.$/);
      }
    }
  }
  const stale = { code: "CONFLICT", reason: "artifact.superseded" } as const;
  assert.match(errorText(stale, words), /^A newer version exists/);
});
