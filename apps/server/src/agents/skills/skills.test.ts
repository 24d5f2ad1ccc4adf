import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import {
  makeSkill,
  SKILL_NAME,
  SKILL_PURPOSE,
  SKILL_WORD,
} from "../../../../../test/kit/tides/tides.ts";
import { createTestHost } from "../testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "../testing/turns.ts";
import type { AgentRuntime, ToolResult, Turn, TurnHost } from "../turn/agent-runtime.ts";
import { readSkills } from "./read-skills.ts";
import { readFrontMatter } from "./skill-front-matter.ts";
import { withSkills, type SkillRoute } from "./skilled-runtime.ts";

function openFolder() {
  return mkdtempDisposableSync(join(tmpdir(), "atrium-skills-"));
}

interface Seen {
  turn?: Turn;
  host?: TurnHost;
}

/** A runtime that shows what it was started with. */
function mirror(seen: Seen): AgentRuntime {
  return {
    name: "mirror",
    type: "model",
    model: { provider: "p", id: "m", contextTokens: 1 },
    async *start(turn, host) {
      Object.assign(seen, { turn, host });
      yield { type: "completed", stopReason: "stop" };
    },
  };
}

async function start(paths: readonly string[], route: SkillRoute) {
  const seen: Seen = {};
  const runtime = withSkills(mirror(seen), paths, route);
  const events = await eventsOf(runtime, turnOf("Hello"), createTestHost());
  assert.ok(seen.turn !== undefined && seen.host !== undefined);
  return { turn: seen.turn, host: seen.host, events };
}

test("[AGENT-29] an agent that has no way of its own is told names and purposes, and reads a skill with a tool", async () => {
  using folder = openFolder();
  const skill = makeSkill(folder.path);
  const { turn, host } = await start([skill], "tool");
  assert.match(turn.instructions, new RegExp(`- ${SKILL_NAME} \\(.*\\): ${SKILL_PURPOSE}`));
  assert.ok(turn.instructions.startsWith("You are Eng 1."));
  assert.doesNotMatch(turn.instructions, new RegExp(SKILL_WORD));
  assert.deepEqual(
    host.tools.map(({ name }) => name),
    ["read_skill"],
  );
  const read = (input: object): Promise<ToolResult> => host.callTool("read_skill", input);
  const whole = await read({ name: SKILL_NAME });
  assert.match(whole.text, new RegExp(`Always say ${SKILL_WORD}[^]*references/moon\\.md`));
  const part = await read({ name: SKILL_NAME, path: "references/moon.md" });
  assert.deepEqual([part.text, part.isError], ["The moon pulls.\n", false]);
  assert.equal((await host.callTool("other", {})).text, "other knows nothing");
});

test("[AGENT-29] the tool reads nothing beside the skill", async () => {
  using folder = openFolder();
  const skill = makeSkill(folder.path);
  writeFileSync(join(folder.path, "secret.txt"), "s-1");
  symlinkSync(join(folder.path, "secret.txt"), join(skill, "link.txt"));
  const { host } = await start([skill], "tool");
  for (const path of ["../secret.txt", "link.txt", join(folder.path, "secret.txt"), "nowhere.md"]) {
    const result = await host.callTool("read_skill", { name: SKILL_NAME, path });
    assert.ok(result.isError && !result.text.includes("s-1"), result.text);
  }
  for (const name of ["__proto__", "../tide-tables", "", 7]) {
    const result = await host.callTool("read_skill", { name });
    assert.match(result.text, /There is no skill of that name\. Skills: tide-tables\./);
  }
});

test("[AGENT-29] a program that has a way of its own is handed the folders, and one that reads files their paths", async () => {
  using folder = openFolder();
  const skill = makeSkill(folder.path);
  const own = await start([skill], "own");
  assert.deepEqual(
    own.turn.skills?.map(({ name }) => name),
    [SKILL_NAME],
  );
  assert.deepEqual([own.turn.instructions, own.host.tools], ["You are Eng 1.", []]);
  const files = await start([skill], "files");
  assert.match(files.turn.instructions, /read the file SKILL\.md in its folder/);
  assert.deepEqual(files.host.tools, []);
  assert.equal(basename(files.turn.env["ATRIUM_SKILLS"] ?? ""), SKILL_NAME);
});

test("[AGENT-29] a folder of skills brings all of them, and of one name the later counts", () => {
  using folder = openFolder();
  using other = openFolder();
  makeSkill(folder.path, "a-one");
  makeSkill(folder.path, "a-two");
  mkdirSync(join(folder.path, "no-skill"));
  const later = makeSkill(other.path, "a-two", { purpose: "Another" });
  const { skills, problems } = readSkills([folder.path, later]);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    skills.map(({ name, description }) => [name, description]),
    [
      ["a-one", SKILL_PURPOSE],
      ["a-two", "Another"],
    ],
  );
});

test("[AGENT-30] what is no skill is named with what is wrong", () => {
  using folder = openFolder();
  const skill = (text: string): string => {
    const path = mkdtempDisposableSync(join(folder.path, "skill-")).path;
    writeFileSync(join(path, "SKILL.md"), text);
    return path;
  };
  mkdirSync(join(folder.path, "empty"));
  writeFileSync(join(folder.path, "file"), "");
  for (const [path, problem] of [
    [join(folder.path, "nowhere"), /nowhere cannot be read \(ENOENT\)$/],
    [join(folder.path, "empty"), /there is no SKILL\.md in \S+empty, nor in a folder of it$/],
    [join(folder.path, "file"), /file is not a folder/],
    [skill("# No head"), /does not begin with ---/],
    [skill("---\nname: Tides!\ndescription: d\n---\n"), /name must have 1 to 64 lowercase/],
    [skill(`---\nname: ${"a".repeat(65)}\ndescription: d\n---\n`), /name must have/],
    [skill("---\nname: ../up\ndescription: d\n---\n"), /name must have/],
    [skill("---\nname: tides\n---\n"), /description must have 1 to 1024/],
    [skill(`---\nname: t\ndescription: ${"d".repeat(1025)}\n---\n`), /description must have/],
  ] as const) {
    const { skills, problems } = readSkills([path]);
    assert.deepEqual(skills, []);
    assert.match(problems.join(), problem);
  }
});

test("[AGENT-30] a skill that is gone when a turn begins is named, and the turn goes on with the others", async () => {
  using folder = openFolder();
  const { turn, events } = await start([join(folder.path, "gone"), makeSkill(folder.path)], "tool");
  assert.match(textIn(events), /^A skill is left out: \S+gone cannot be read \(ENOENT\)\.\n\n$/);
  assert.equal(turn.skills?.length, 1);
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "stop" });
});

test("what stands before the text of a skill is read as people write it", () => {
  const read = (...lines: readonly string[]) =>
    Object.fromEntries(readFrontMatter(["---", ...lines, "---", "text"].join("\n")) ?? []);
  assert.deepEqual(read('name: "a b"', "description: it's: 5 # a comment", "license: 'don''t'"), {
    name: "a b",
    description: "it's: 5",
    license: "don't",
  });
  assert.equal(read("description: >-", "  one", "  two", "name: x")["description"], "one two");
  assert.equal(read("description: |", "  one", "  two")["description"], "one\ntwo");
  assert.equal(read("description: one", "  two")["description"], "one two");
  assert.deepEqual(read("metadata:", "  name: inner", "__proto__: x", "name: outer"), {
    metadata: "name: inner",
    ["__proto__"]: "x",
    name: "outer",
  });
  assert.equal(readFrontMatter("---\nname: x\n"), undefined);
  assert.equal(readFrontMatter("---\r\nname: x\r\n---\r\n")?.get("name"), "x");
});
