import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate, setTimeout } from "node:timers/promises";
import { Mirror } from "./mirror.ts";
import { openFewNodes, type FewNodes } from "./testing/few-nodes.ts";
import { STRANGE_MESSAGES } from "./testing/strange-messages.ts";

type Word = { readonly word: string };

/** The words of every node, as one of them sees them. */
function openWords(few: FewNodes, node: string, own: string[] = []) {
  const others = new Map<string, string[]>();
  const mirror = new Mirror<Word>(
    {
      name: "words",
      whole: () => own.map((word) => ({ word })),
      apply: ({ word }, from) => void others.set(from, [...(others.get(from) ?? []), word]),
      replace: (words, from) =>
        void (words.length === 0
          ? others.delete(from)
          : others.set(
              from,
              words.map(({ word }) => word),
            )),
    },
    few.depsOf(node),
  );
  const say = (word: string): void => {
    own.push(word);
    mirror.tell({ word });
  };
  return { mirror, say, wordsOf: (from: string) => others.get(from) ?? [] };
}

async function quiet(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate();
}

test("[NODE-20] what one node tells reaches the others in order, one message for all of a turn", async () => {
  const few = openFewNodes("a", "b", "c");
  const [a, b, c] = [openWords(few, "a"), openWords(few, "b"), openWords(few, "c")];
  await quiet();
  const before = few.messages.length;
  for (const word of ["one", "two", "three"]) a.say(word);
  await quiet();
  assert.equal(few.messages.length, before + 1);
  a.say("four");
  await quiet();
  const all = ["one", "two", "three", "four"];
  assert.deepEqual([a.wordsOf("a"), b.wordsOf("a"), c.wordsOf("a")], [[], all, all]);
  for (const { mirror } of [a, b, c]) mirror[Symbol.dispose]();
});

test("[NODE-20] whoever comes late learns all there is, however much, and then what follows", async () => {
  const few = openFewNodes("a");
  const long = Array.from({ length: 9 }, (_, n) => String(n).repeat(100_000));
  const a = openWords(few, "a", ["early", ...long]);
  await quiet();
  const b = openWords(few, "b");
  few.meet("a", "b");
  a.say("meanwhile");
  await quiet();
  a.say("later");
  await quiet();
  assert.deepEqual(b.wordsOf("a"), ["early", ...long, "meanwhile", "later"]);
  for (const { mirror } of [a, b]) mirror[Symbol.dispose]();
});

test("[NODE-20] one change may be longer than a message of the bus, in any characters", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openWords(few, "a"), openWords(few, "b")];
  await quiet();
  const words = ["€", '"', "\u0000"].flatMap((char) => [
    char.repeat(360_000),
    char.repeat(700_000),
  ]);
  for (const word of ["first", ...words, "last"]) a.say(word);
  await quiet();
  assert.deepEqual(b.wordsOf("a"), ["first", ...words, "last"]);
  for (const { mirror } of [a, b]) mirror[Symbol.dispose]();
});

test("[NODE-20] a lost message costs nothing but a moment: the whole is asked for again until it comes", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openWords(few, "a"), openWords(few, "b")];
  await quiet();
  few.isLost = () => true;
  a.say("lost");
  await quiet();
  few.isLost = (_subject, text) => text.includes('"part"');
  a.say("found");
  await quiet();
  assert.deepEqual(b.wordsOf("a"), []);
  few.isLost = () => false;
  await setTimeout(1_200);
  assert.deepEqual(b.wordsOf("a"), ["lost", "found"]);
  for (const { mirror } of [a, b]) mirror[Symbol.dispose]();
});

test("[NODE-21] what a node tells waits elsewhere for the entries that the node knew", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openWords(few, "a"), openWords(few, "b")];
  await quiet();
  few.moveTo("a", 7);
  a.say("after seven");
  few.moveTo("a", 9);
  a.say("after nine");
  await quiet();
  assert.deepEqual(b.wordsOf("a"), []);
  few.moveTo("b", 8);
  await quiet();
  assert.deepEqual(b.wordsOf("a"), ["after seven"]);
  few.moveTo("b", 9);
  await quiet();
  assert.deepEqual(b.wordsOf("a"), ["after seven", "after nine"]);
  for (const { mirror } of [a, b]) mirror[Symbol.dispose]();
});

test("[NODE-22] what a node had is gone with it, and there again when it is back", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openWords(few, "a"), openWords(few, "b")];
  await quiet();
  a.say("here");
  await quiet();
  few.meet("b");
  assert.deepEqual(b.wordsOf("a"), []);
  a.mirror[Symbol.dispose]();
  const again = openWords(few, "a", ["new life"]);
  few.meet("a", "b");
  await quiet();
  assert.deepEqual(b.wordsOf("a"), ["new life"]);
  for (const { mirror } of [again, b]) mirror[Symbol.dispose]();
});

test("[NODE-20] what cannot be applied is reported and costs the rest nothing", async () => {
  const few = openFewNodes("a", "b");
  const a = openWords(few, "a");
  const heard: string[] = [];
  const b = new Mirror<Word>(
    {
      name: "words",
      whole: () => [],
      apply({ word }) {
        if (word === "bad") throw new Error("no");
        heard.push(word);
      },
      replace: () => undefined,
    },
    few.depsOf("b"),
  );
  await quiet();
  for (const word of ["bad", "good"]) {
    a.say(word);
    await quiet();
  }
  few.depsOf("a").bus.publish("mirror.words", Buffer.from("no JSON"));
  a.say("better");
  await quiet();
  assert.deepEqual([heard, few.faults.length], [["good", "better"], 1]);
  for (const each of [a.mirror, b]) each[Symbol.dispose]();
});

test("[NODE-35] what is no change of a node is ignored, whatever it is", async () => {
  const few = openFewNodes("a", "b");
  const [a, b] = [openWords(few, "a"), openWords(few, "b")];
  for (const text of STRANGE_MESSAGES) {
    few.depsOf("z").bus.publish("mirror.words", Buffer.from(text));
  }
  await quiet();
  a.say("still");
  await quiet();
  assert.deepEqual([b.wordsOf("a"), few.faults], [["still"], []]);
  for (const { mirror } of [a, b]) mirror[Symbol.dispose]();
});
