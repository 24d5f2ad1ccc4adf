import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gone } from "../../../../../test/kit/processes.ts";
import type { WorkspacePermissions } from "../settings/agent-settings.ts";
import { createTestHost } from "../testing/test-host.ts";
import { textIn, turnOf } from "../testing/turns.ts";
import type { PermissionAnswer, PermissionRequest, Turn } from "../turn/agent-runtime.ts";
import { codexPrompt, type CodexStep } from "./testing/codex-double.ts";
import { openStage, type Stage } from "./testing/codex-stage.ts";

async function decide(
  stage: Stage,
  step: CodexStep,
  answer: PermissionAnswer,
): Promise<{ said: string; asked: PermissionRequest[]; returned: unknown }> {
  const asked: PermissionRequest[] = [];
  const events = await stage.play([step], {
    requestPermission: (request) => (asked.push(request), Promise.resolve(answer)),
  });
  const returned = events.find((event) => event.type === "tool.returned");
  return { said: textIn(events), asked, returned };
}

test("[CODEX-3] a command runs once people allow it, and else does not", async () => {
  await using stage = openStage();
  const allowed = await decide(stage, { run: "echo hi" }, "allowed");
  assert.deepEqual(allowed.asked, [
    { tool: "shell", input: { command: "/bin/bash -lc 'echo hi'" }, cwd: stage.folder },
  ]);
  assert.match(JSON.stringify(allowed.returned), /echo hi\\n\[exit code 0\]","isError":false/);
  for (const answer of ["denied", "expired"] as const) {
    const { returned } = await decide(stage, { run: "echo hi" }, answer);
    assert.match(JSON.stringify(returned), /was not allowed.*"isError":true/);
  }
});

test("[CODEX-3] what a command gets besides is asked for with it; one that cannot be read is declined", async () => {
  await using stage = openStage();
  const ask = "item/commandExecution/requestApproval";
  const more = { command: "curl x", networkApprovalContext: { host: "x", protocol: "https" } };
  const { asked, said } = await decide(
    stage,
    { ask, params: { ...more, kind: "writeStdin", cwd: "/elsewhere", reason: "to fetch" } },
    "allowed",
  );
  assert.deepEqual(asked, [
    {
      tool: "shell",
      input: { ...more, kind: "writeStdin" },
      cwd: "/elsewhere",
      details: "to fetch",
    },
  ]);
  assert.equal(said, '{"decision":"accept"}');
  const blind = await decide(stage, { ask, params: { command: null } }, "allowed");
  assert.deepEqual([blind.said, blind.asked], ['{"decision":"decline"}', []]);
});

test("[CODEX-3] a change of files is asked for with its diffs; one that is not known is declined", async () => {
  await using stage = openStage();
  const patch = [
    { path: "/w/a.txt", kind: { type: "add" }, diff: "one\ntwo\n" },
    {
      path: "/w/b.txt",
      kind: { type: "update", move_path: "/w/c.txt" },
      diff: "@@ -1 +1 @@\n-x\n+y\n",
    },
    { path: "/w/d.txt", kind: { type: "delete" }, diff: "gone\n" },
  ];
  const { asked, said, returned } = await decide(stage, { patch }, "allowed");
  assert.deepEqual(asked, [
    {
      tool: "apply_patch",
      input: {
        files: [
          { path: "/w/a.txt", kind: "add" },
          { path: "/w/b.txt", kind: "update", movedTo: "/w/c.txt" },
          { path: "/w/d.txt", kind: "delete" },
        ],
      },
      writes: [
        { path: "/w/a.txt", text: "+ one\n+ two" },
        { path: "/w/b.txt -> /w/c.txt", text: "@@ -1 +1 @@\n-x\n+y\n" },
        { path: "/w/d.txt", text: "- gone" },
      ],
      cwd: stage.folder,
    },
  ]);
  assert.equal(said, '"accept"');
  assert.match(JSON.stringify(returned), /Wrote \/w\/a\.txt\\nChanged \/w\/b\.txt\\nDeleted/);
  const blind = await decide(stage, { patch, isUnknown: true }, "allowed");
  assert.deepEqual([blind.said, blind.asked], ['"decline"', []]);
});

test("[CODEX-3] more rights are given for the turn at most, and never for always", async () => {
  await using stage = openStage();
  const permissions = { network: { enabled: true } };
  const step = { ask: "item/permissions/requestApproval", params: { permissions } } as const;
  const { asked, said } = await decide(stage, step, "allowed");
  assert.equal(asked[0]?.mayAlways, false);
  assert.deepEqual(JSON.parse(said), { permissions, scope: "turn" });
  const denied = await decide(stage, step, "denied");
  assert.deepEqual(JSON.parse(denied.said), { permissions: {}, scope: "turn" });
});

test("[CODEX-3] for a tool of ours nobody is asked, for one of another server people are", async () => {
  await using stage = openStage();
  const lookup = { name: "lookup", description: "", input: { type: "object" } };
  const asked: PermissionRequest[] = [];
  const call = async (serverName: string, kind: string): Promise<unknown> => {
    const _meta = { codex_approval_kind: kind, tool_params: { q: 1 }, tool_name: "find" };
    const params = { serverName, mode: "form", message: "Allow it?", _meta };
    const events = await stage.play([{ ask: "mcpServer/elicitation/request", params }], {
      tools: [lookup],
      requestPermission: (request) => (asked.push(request), Promise.resolve("denied" as const)),
    });
    return (JSON.parse(textIn(events)) as { action: unknown }).action;
  };
  assert.equal(await call("atrium", "mcp_tool_call"), "accept");
  assert.equal(await call("atrium", "other"), "decline");
  assert.deepEqual(asked, []);
  assert.equal(await call("other", "mcp_tool_call"), "decline");
  const request = { tool: "mcp__other__find", input: { q: 1 }, details: "Allow it?" };
  assert.deepEqual(asked, [{ ...request, cwd: stage.folder }]);
});

test("[CODEX-3] a question of Codex's is put to people", async () => {
  await using stage = openStage();
  const questions = [{ id: "q1", question: "Which?", options: [{ label: "Red" }] }];
  const step = { ask: "item/tool/requestUserInput", params: { questions } } as const;
  const answers = async (answer: string | null): Promise<unknown> => {
    const events = await stage.play([step], { ask: () => Promise.resolve(answer) });
    return JSON.parse(textIn(events));
  };
  assert.deepEqual(await answers("Red"), { answers: { q1: { answers: ["Red"] } } });
  assert.match(JSON.stringify(await answers(null)), /Nobody answered in time/);
});

test("[CODEX-14] a question is withdrawn when Codex has settled it, and what is left is not asked", async () => {
  await using stage = openStage();
  const asked: string[] = [];
  const withdrawn: Promise<unknown>[] = [];
  const questions = ["Which?", "When?"].map((question) => ({ id: question, question }));
  const step = { askAndSettle: "item/tool/requestUserInput", params: { questions } };
  await stage.play([step], {
    ask: async ({ text }, signal) => {
      assert.ok(signal !== undefined);
      asked.push(text);
      withdrawn.push(once(signal, "abort"));
      await withdrawn[0];
      return null;
    },
  });
  await Promise.all(withdrawn);
  assert.deepEqual(asked, ["Which?"]);
});

test("[CODEX-3] what is not served is refused, and the turn goes on", async () => {
  await using stage = openStage();
  const said = await stage.say({ ask: "__proto__", params: {} }, { say: "On." });
  assert.match(said, /"code":-32601.*On\.$/s);
});

test("[CODEX-3] a permission is withdrawn when Codex has settled it, and when the turn ends", async () => {
  await using stage = openStage();
  const params = { command: "ls" };
  const withdrawn: Promise<unknown>[] = [];
  const waits = async (_request: PermissionRequest, signal?: AbortSignal) => {
    assert.ok(signal !== undefined);
    const over = once(signal, "abort");
    withdrawn.push(over);
    await over;
    return "expired" as const;
  };
  const method = "item/commandExecution/requestApproval";
  await stage.play([{ askAndSettle: method, params }], { requestPermission: waits });
  await Promise.all(withdrawn);
  const host = createTestHost({
    speed: 1,
    requestPermission: (request, signal) => {
      setImmediate(() => host.abort());
      return waits(request, signal);
    },
  });
  const turn = turnOf(codexPrompt({ run: "ls" }));
  const events = await Array.fromAsync(stage.runtime.start(turn, host));
  assert.deepEqual(events.at(-1), { type: "completed", stopReason: "aborted" });
  assert.equal((await Promise.all(withdrawn)).length, 2);
});

test("[CODEX-3] a permission nobody can be asked for is not given", async () => {
  await using stage = openStage();
  const events = await stage.play([{ run: "ls" }], {
    requestPermission: () => Promise.reject(new Error("nobody is there")),
  });
  assert.match(JSON.stringify(events), /was not allowed/);
});

test("[CODEX-5] why a person said no is told to Codex in the turn", async () => {
  await using stage = openStage();
  const note = { permission: "denied", note: "use the other one" } as const;
  const events = await stage.play([{ run: "ls" }, { awaitSteering: true }], {
    requestPermission: () => Promise.resolve(note),
  });
  assert.match(textIn(events), /A person denied this and said: use the other one/);
});

test("[CODEX-10] in a workspace Codex works there, with a profile that hides the server's home", async () => {
  await using stage = openStage();
  const home = join(stage.folder, "home");
  const folder = join(home, "workspaces/w1");
  const store = join(home, "stores/s1");
  for (const path of [folder, store, join(home, "workspaces/w2")]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(home, "secrets.json"), "{}");
  await using hidden = openStage(
    [],
    { sandboxMode: "danger-full-access" },
    { secretFolders: [home] },
  );
  const turn = { workspace: { folder, store } };
  const steps = [{ tell: "thread" }, { run: "sleep", leaves: true }] as const;
  const requestPermission = (): Promise<"allowed"> => Promise.resolve("allowed");
  const events = await hidden.play(steps, { turn, requestPermission });
  const called = events.find((event) => event.type === "tool.called");
  assert.match(JSON.stringify(called), new RegExp(`"cwd":"${folder}"`));
  // What is made there is handed over when the run ends, so nothing goes on.
  const left = events.find((event) => event.type === "tool.returned")?.text ?? "";
  await gone([Number.parseInt(left, 10)]);
  const thread = JSON.parse(textIn(events)) as {
    sandbox?: string;
    permissions: string;
    config: Record<string, { filesystem?: Record<string, string> }>;
  };
  assert.deepEqual([thread.permissions, thread.sandbox], ["atrium", undefined]);
  assert.deepEqual(thread.config["projects"], { [folder]: { trust_level: "untrusted" } });
  const files = new Map(Object.entries(thread.config["permissions.atrium"]?.filesystem ?? {}));
  assert.equal(files.get(folder), "write");
  assert.equal(files.get(join(folder, ".git")), "read");
  for (const secret of ["token", "secrets.json", "workspaces/w2", "device-secret"]) {
    assert.equal(files.get(join(home, secret)), "deny", secret);
  }
  // What is not denied can be read.
  for (const path of [home, store, join(home, "workspaces")]) assert.equal(files.has(path), false);
});

test("[CODEX-11] in a workspace the agent's setting says when people are asked", async () => {
  let permissions: WorkspacePermissions | undefined;
  await using stage = openStage([], {}, { permissionsOf: () => permissions });
  const { folder } = stage;
  symlinkSync("/", join(folder, "root"));
  const asked = async (path: string): Promise<readonly string[]> => {
    const tools: string[] = [];
    const patch = [{ path, kind: { type: "add" }, diff: "tide\n" }];
    await stage.play([{ run: "true" }, { patch }], {
      turn: { workspace: { folder, store: null } },
      requestPermission: async ({ tool }) => {
        tools.push(tool);
        return "allowed";
      },
    });
    return tools;
  };
  const policy = async (turn: Partial<Turn>): Promise<unknown> =>
    JSON.parse(textIn(await stage.play([{ tell: "thread" }], { turn }))).approvalPolicy;
  const here = { workspace: { folder, store: null } };
  const inside = join(folder, "tide.txt");
  assert.equal(await policy(here), "untrusted");
  permissions = "sandbox";
  assert.equal(await policy(here), "on-request");
  // Elsewhere it does not hold.
  assert.equal(await policy({}), "untrusted");
  permissions = "ask";
  assert.equal(await policy(here), "untrusted");
  assert.deepEqual(await asked(inside), ["shell", "apply_patch"]);
  permissions = "edit";
  assert.equal(await policy(here), "untrusted");
  assert.deepEqual(await asked(inside), ["shell"]);
  for (const outside of ["/tmp/tide.txt", join(folder, "root/tide.txt"), join(folder, ".git/x")]) {
    assert.deepEqual(await asked(outside), ["shell", "apply_patch"], outside);
  }
});
