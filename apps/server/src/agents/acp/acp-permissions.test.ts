import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempDisposableSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { textIn } from "../testing/turns.ts";
import type { PermissionRequest } from "../turn/agent-runtime.ts";
import { openStage, type Scene } from "./testing/acp-stage.ts";

const lookup = { name: "look.up", description: "Looks it up", input: { type: "object" } };

test("[ACP-3] a permission is asked of people and answered by kind, once", async () => {
  await using stage = openStage();
  const asked: PermissionRequest[] = [];
  const outcome = async (
    permission: "allowed" | "denied" | "expired",
    kinds?: readonly ("allow_always" | "reject_always")[],
  ): Promise<unknown> => {
    const events = await stage.play([{ permit: "npm publish", ...(kinds && { kinds }) }], {
      requestPermission: (request) => (asked.push(request), Promise.resolve(permission)),
    });
    return JSON.parse(textIn(events));
  };
  const selected = (kind: string) => ({ outcome: "selected", optionId: `option ${kind}` });
  assert.deepEqual(await outcome("allowed"), selected("allow_once"));
  assert.deepEqual(await outcome("denied"), selected("reject_once"));
  assert.deepEqual(await outcome("expired"), selected("reject_once"));
  assert.deepEqual(await outcome("denied", ["reject_always"]), selected("reject_always"));
  assert.deepEqual(await outcome("allowed", ["allow_always"]), { outcome: "cancelled" });
  const { cwd, ...first } = asked[0] ?? {};
  assert.deepEqual(first, { tool: "shell", input: { n: 1 }, details: "npm publish" });
  assert.match(cwd ?? "", /atrium-acp-/);
});

test("[ACP-3] a permission nobody can be asked for is not given", async () => {
  await using stage = openStage();
  const events = await stage.play([{ permit: "ls" }], {
    requestPermission: () => Promise.reject(new Error("nobody is there")),
  });
  assert.equal(textIn(events), '{"outcome":"cancelled"}');
});

test("[ACP-18] a question of the program's own is refused at once, and the turn goes on", async () => {
  await using stage = openStage();
  const requestedSchema = { type: "object", properties: { colour: { type: "string" } } };
  const form = { mode: "form", message: "Which colour?", requestedSchema };
  for (const question of ["elicitation/create", "_example.com/ask_user"]) {
    const refused = await stage.say({ question, params: form }, { say: " and on" });
    assert.equal(refused, '{"refused":-32601} and on', question);
  }
  const offered = JSON.parse(await stage.say({ tell: "client" })).clientCapabilities;
  assert.ok(!("elicitation" in offered));
});

test("[ACP-5] files are read and written in the agent's folder", async () => {
  await using stage = openStage();
  const path = join(stage.folder, "notes.txt");
  assert.equal(await stage.say({ write: path, text: "a\nb\nc\nd" }), "written");
  assert.equal(readFileSync(path, "utf8"), "a\nb\nc\nd");
  assert.equal(await stage.say({ read: path }), "a\nb\nc\nd");
  assert.equal(await stage.say({ read: path, line: 2, limit: 2 }), "b\nc");
  assert.equal(await stage.say({ write: path, text: "e" }), "written");
  assert.equal(readFileSync(path, "utf8"), "e");
});

test("[ACP-5] nothing outside the folder is reached, by dots or by links", async () => {
  await using stage = openStage();
  using outside = mkdtempDisposableSync(join(tmpdir(), "atrium-outside-"));
  const secret = join(outside.path, "secret.txt");
  writeFileSync(secret, "secret");
  symlinkSync(secret, join(stage.folder, "file-link"));
  symlinkSync(outside.path, join(stage.folder, "folder-link"));
  symlinkSync(join(outside.path, "new.txt"), join(stage.folder, "dangling"));
  mkdirSync(join(stage.folder, "sub"));
  const paths = [
    secret,
    `${stage.folder}/../${outside.path.split("/").at(-1)}/secret.txt`,
    `${stage.folder}-sibling`,
    join(stage.folder, "file-link"),
    join(stage.folder, "folder-link", "secret.txt"),
    join(stage.folder, "dangling"),
    join(stage.folder, "sub"),
    "notes.txt",
    "/dev/zero",
  ];
  for (const path of paths) {
    assert.match(await stage.say({ read: path }), /^refused: /, path);
    assert.match(await stage.say({ write: path, text: "x" }), /^refused: /, path);
  }
  assert.equal(readFileSync(secret, "utf8"), "secret");
  assert.throws(() => readFileSync(join(outside.path, "new.txt")), /ENOENT/);
  assert.match(await stage.say({ read: secret }), /outside the folder you work in/);
});

test("[AGENT-16] it is offered files and no terminal, and sees only the environment it may", async () => {
  await using stage = openStage();
  const client = JSON.parse(await stage.say({ tell: "client" })) as {
    clientCapabilities: { fs: unknown; terminal: unknown };
  };
  const fs = { readTextFile: true, writeTextFile: true };
  const { fs: files, terminal } = client.clientCapabilities;
  assert.deepEqual({ files, terminal }, { files: fs, terminal: false });
  const names = JSON.parse(
    textIn(await stage.play([{ tell: "env" }], { turn: { env: { TIDY_STEP: "1" } } })),
  ) as string[];
  assert.deepEqual(names.toSorted(), ["PATH", "TIDY_STEP"]);
});

test("[ACP-3] for a tool of ours nobody is asked, for one that only looks like it people are", async () => {
  await using stage = openStage();
  const asked: string[] = [];
  const scene: Scene = {
    tools: [lookup],
    requestPermission: async ({ tool }) => {
      asked.push(tool);
      return "denied";
    },
  };
  const permit = (tool: string): Promise<string> =>
    stage.play([{ permit: "mcp__atrium__look_up", tool }], scene).then(textIn);
  assert.match(await permit("mcp__atrium__look_up"), /option allow_once/);
  assert.deepEqual(asked, []);
  for (const other of ["mcp__atrium__rm", "mcp__other__look_up", "Bash"]) {
    assert.match(await permit(other), /option reject_once/);
  }
  assert.deepEqual(asked, ["mcp__atrium__rm", "mcp__other__look_up", "Bash"]);
});
