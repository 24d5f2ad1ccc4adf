/** What people are not asked about, because the preset of the agent allows it in its workspace. */
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ToolCallUpdate, ToolKind } from "@agentclientprotocol/sdk";
import { openConfinement } from "../testing/open-confinement.ts";
import { textIn } from "../testing/turns.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { openStage } from "./testing/acp-stage.ts";

type About = Omit<ToolCallUpdate, "toolCallId">;
type Preset = "ask" | "edit" | "sandbox";

interface Wanted {
  readonly preset: Preset | undefined;
  readonly isConfined?: boolean;
  readonly mcpServers?: AcpSettings["mcpServers"];
}

/** Which of these are asked about; people say no. */
async function askedAbout(
  { preset, isConfined = true, mcpServers = [] }: Wanted,
  aboutIn: (folder: string) => Readonly<Record<string, About>>,
): Promise<readonly string[]> {
  await using stage = openStage(
    ["http"],
    { mcpServers },
    { confinement: openConfinement(isConfined), permissionsOf: () => preset },
  );
  const folder = join(stage.folder, "worktree");
  mkdirSync(folder);
  symlinkSync(stage.folder, join(folder, "up"));
  const asked: string[] = [];
  for (const [name, about] of Object.entries(aboutIn(folder))) {
    let isAsked = false;
    const events = await stage.play([{ permit: name, about }], {
      turn: { workspace: { folder, store: null } },
      requestPermission: async () => ((isAsked = true), "denied"),
    });
    const option = isAsked ? "reject_once" : "allow_once";
    assert.deepEqual(JSON.parse(textIn(events)), {
      outcome: "selected",
      optionId: `option ${option}`,
    });
    if (isAsked) asked.push(name);
  }
  return asked;
}

const ofKind = (kind: ToolKind, ...paths: readonly string[]): About => ({
  kind,
  locations: paths.map((path) => ({ path })),
});
const diff = (path: string): About => ({
  kind: "edit",
  content: [{ type: "diff", path, newText: "high" }],
});

const calls = (folder: string): Readonly<Record<string, About>> => ({
  "its diff": diff(join(folder, "new/a.txt")),
  "its write": ofKind("edit", join(folder, "a.txt")),
  "its removal": ofKind("delete", join(folder, "a.txt")),
  "an edit of nothing that is named": { kind: "edit" },
  command: { kind: "execute" },
  "a tool": {},
  "a fetch": { kind: "fetch" },
  "another mode": { kind: "switch_mode" },
  "a diff elsewhere": diff(join(folder, "../b.txt")),
  "a diff through a link": diff(join(folder, "up/b.txt")),
  "a diff of git's data": diff(join(folder, ".git/config")),
  "a relative diff": diff("a.txt"),
  "a command elsewhere": ofKind("execute", folder, "/etc"),
});
const EVERYTHING = Object.keys(calls(""));
const LEAVES = EVERYTHING.slice(EVERYTHING.indexOf("a fetch"));

test("[ACP-19] with ask, and without a preset, people are asked about everything", async () => {
  assert.deepEqual(await askedAbout({ preset: "ask" }, calls), EVERYTHING);
  assert.deepEqual(await askedAbout({ preset: undefined }, calls), EVERYTHING);
});

test("[ACP-19] with edit people are asked about everything but changes that stay", async () => {
  const others = ["an edit of nothing that is named", "command", "a tool"];
  assert.deepEqual(await askedAbout({ preset: "edit" }, calls), [...others, ...LEAVES]);
});

test("[ACP-19] with sandbox people are asked about what leaves it, and without one as with edit", async () => {
  assert.deepEqual(await askedAbout({ preset: "sandbox" }, calls), LEAVES);
  const outside = await askedAbout({ preset: "sandbox", isConfined: false }, calls);
  assert.deepEqual(outside, await askedAbout({ preset: "edit" }, calls));
});

test("[ACP-19] a tool that may be of a server elsewhere is asked about", async () => {
  const mcpServers = [{ name: "tides", url: "https://tides.example/mcp", headers: {} }];
  const some = (): Readonly<Record<string, About>> => ({
    "a tool": {},
    command: { kind: "execute" },
  });
  assert.deepEqual(await askedAbout({ preset: "sandbox", mcpServers }, some), ["a tool"]);
});
