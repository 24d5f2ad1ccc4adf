import assert from "node:assert/strict";
import { test } from "node:test";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { TurnEvent } from "../turn/agent-runtime.ts";
import { createRehearsal } from "./rehearsal.ts";

const TOOL = { name: "projects_list", description: "", input: { type: "object" } };
const STANDING = '- "Tide table" (proj_a): executing; 1 of 3 tasks done\n- and 4 more; see';

const play = (
  prompt: string,
  { tools = [TOOL], ...more }: Parameters<typeof turnOf>[1] & { tools?: (typeof TOOL)[] } = {},
): Promise<TurnEvent[]> =>
  eventsOf(createRehearsal("rehearsal"), turnOf(prompt, more), createTestHost({ tools }));

const offerIn = (events: readonly TurnEvent[]): string | undefined => {
  const last = events.at(-1);
  assert.equal(last?.type, "completed");
  return last.offer;
};

test("[REHEARSAL-10] asked how far it is, it says what it is told of the projects, and nothing else", async () => {
  for (const words of [
    "How far is it?",
    "how are the projects going",
    "What's the status of the tide table?",
    "Is it done yet?",
    "What is going on?",
  ]) {
    const events = await play(words, { context: `Something else\n${STANDING}` });
    const [label, head, lines] = textIn(events).split("\n\n");
    assert.match(label ?? "", /^\(Rehearsal/);
    assert.equal(head, "This is how the projects stand:", words);
    assert.equal(lines, STANDING);
    assert.equal(offerIn(events), undefined);
    assert.match(textIn(await play(words)), /There is no project yet\./);
  }
  for (const words of ["Which tide is higher?", "How deep is the sea?", "hello"]) {
    assert.doesNotMatch(textIn(await play(words, { context: STANDING })), /projects stand/, words);
  }
});

test("[REHEARSAL-10] what someone wants to have made is offered as a project, in their words", async () => {
  const words = "Please build me a tide table.\nFor sailors.";
  const events = await play(words);
  assert.match(textIn(events), /I can make this a project/);
  assert.equal(offerIn(events), words);
  assert.equal(offerIn(await play(`[[sleep: 1ms]] ${words}`)), words);
  for (const turn of [
    play(words, { tools: [] }),
    play(words, { form: "task" }),
    play(words, { env: { TIDY_BUILD_ID: "b1" } }),
    play("How deep is the sea?"),
  ]) {
    assert.equal(offerIn(await turn), undefined);
    assert.doesNotMatch(textIn(await turn), /I can make this a project/);
  }
});
