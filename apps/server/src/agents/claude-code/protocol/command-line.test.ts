import assert from "node:assert/strict";
import { test } from "node:test";
import { openFolders } from "../../../confinement/testing/confinement-stage.ts";
import type { Launch } from "./claude-process.ts";
import { headlessArgs, interactiveArgs } from "./command-line.ts";
import type { ClaudeConfinement } from "./sandbox-settings.ts";

const launch: Launch = {
  command: "claude",
  cwd: "/work",
  env: { SYNTHESIS_BRIDGE_TOKEN: "a-secret", ANTHROPIC_API_KEY: "sk-1", PATH: "/bin" },
  claudeSession: "11111111-1111-8111-8111-111111111111",
  isResumed: false,
  permissionMode: "manual",
  model: undefined,
  effort: undefined,
  instructions: "You are Eng 1.",
  extraArgs: ["--add-dir=/data"],
  toolServer: ["node", "plugin.mjs"],
};

test("[CLAUDE-7] people are asked, and our tools are always there", () => {
  for (const args of [headlessArgs(launch), interactiveArgs(launch, "/tmp/s.json", false)]) {
    for (const arg of [
      "--session-id=11111111-1111-8111-8111-111111111111",
      "--permission-mode=manual",
      "--append-system-prompt=You are Eng 1.",
      "--strict-mcp-config",
      "--allowedTools=mcp__atrium",
      "--add-dir=/data",
    ]) {
      assert.ok(args.includes(arg), arg);
    }
    const config = JSON.parse(args.find((arg) => arg.startsWith("--mcp-config="))!.slice(13));
    assert.deepEqual(config.mcpServers, {
      atrium: {
        type: "stdio",
        command: "node",
        args: ["plugin.mjs"],
        env: { SYNTHESIS_BRIDGE_TOKEN: "${SYNTHESIS_BRIDGE_TOKEN}" },
        alwaysLoad: true,
        timeout: 8 * 24 * 60 * 60_000,
      },
    });
  }
  assert.ok(headlessArgs({ ...launch, isResumed: true }).some((arg) => /^--resume=1{8}/.test(arg)));
});

test("[CLAUDE-7] nothing secret is on the command line", () => {
  for (const args of [headlessArgs(launch), interactiveArgs(launch, "/tmp/s.json", true)]) {
    assert.doesNotMatch(args.join(" "), /a-secret|sk-1|http:/);
  }
});

test("[CLAUDE-7] a channel is opened only where it is asked for", () => {
  const flag = "--dangerously-load-development-channels";
  assert.ok(!interactiveArgs(launch, "/tmp/s.json", false).includes(flag));
  assert.ok(!headlessArgs(launch).includes(flag));
  const args = interactiveArgs(launch, "/tmp/s.json", true);
  assert.equal(args[args.indexOf(flag) + 1], "server:atrium");
  assert.match(args[args.indexOf(flag) + 2]!, /^--/);
});

test("[CLAUDE-14] in a workspace its sandbox is on, and only the user's settings are read", async () => {
  await using folders = await openFolders();
  const { home, folder, store } = folders;
  const workspace = { folder, store };
  const confined = {
    ...launch,
    confinement: { workspace, secretFolders: [home], preset: undefined },
  };
  const args = headlessArgs(confined);
  assert.ok(args.includes("--setting-sources=user"));
  assert.ok(interactiveArgs(confined, "/tmp/s.json", false).includes("--setting-sources=user"));
  assert.ok(!headlessArgs(launch).some((arg) => arg.startsWith("--setting")));
  const given = args.find((arg) => arg.startsWith("--settings="))!.slice("--settings=".length);
  const { sandbox, permissions } = JSON.parse(given);
  assert.deepEqual([sandbox.enabled, sandbox.allowUnsandboxedCommands], [true, false]);
  assert.deepEqual(sandbox.filesystem, {
    denyRead: [home],
    allowRead: [folder, store],
    denyWrite: [`${folder}/.git`, store],
  });
  for (const rule of [`Read(/${home}/token)`, `Edit(/${home}/atrium.db*)`, `Edit(/${store}/**)`]) {
    assert.ok(permissions.deny.includes(rule), rule);
  }
});

test("[CLAUDE-17] its sandbox and its mode follow the preset, and a mode that only plans stays", async () => {
  await using folders = await openFolders();
  const { home, folder, store } = folders;
  const started = (preset: ClaudeConfinement["preset"], permissionMode: string) => {
    const confinement = { workspace: { folder, store }, secretFolders: [home], preset };
    const args = headlessArgs({ ...launch, permissionMode, confinement });
    const settings = args.find((arg) => arg.startsWith("--settings="))!.slice(11);
    const mode = args.find((arg) => arg.startsWith("--permission-mode="))!.slice(18);
    return [JSON.parse(settings).sandbox.autoAllowBashIfSandboxed, mode];
  };
  assert.deepEqual(started("sandbox", "acceptEdits"), [true, "manual"]);
  assert.deepEqual(started("edit", "auto"), [false, "manual"]);
  assert.deepEqual(started("ask", "acceptEdits"), [false, "manual"]);
  assert.deepEqual(started("sandbox", "plan"), [true, "plan"]);
  assert.deepEqual(started(undefined, "acceptEdits"), [false, "acceptEdits"]);
});

test("[CLAUDE-15] it gets the servers of the settings, whose secrets it puts in itself", () => {
  const mcpServers = {
    docs: { command: "docs-mcp", args: ["--all"], env: ["DOCS_KEY"] },
    tides: { url: "https://tides.example/mcp", headersEnv: { Authorization: "TIDES_AUTH" } },
  };
  const env = { ...launch.env, DOCS_KEY: "sk-docs", TIDES_AUTH: "Bearer sk-tides" };
  const args = headlessArgs({ ...launch, env, mcpServers });
  assert.doesNotMatch(args.join(" "), /sk-/);
  const config = JSON.parse(args.find((arg) => arg.startsWith("--mcp-config="))!.slice(13));
  assert.deepEqual(Object.keys(config.mcpServers).toSorted(), ["atrium", "docs", "tides"]);
  assert.deepEqual(config.mcpServers.docs, {
    type: "stdio",
    command: "docs-mcp",
    args: ["--all"],
    env: { DOCS_KEY: "${DOCS_KEY}" },
  });
  assert.deepEqual(config.mcpServers.tides, {
    type: "http",
    url: "https://tides.example/mcp",
    headers: { Authorization: "${TIDES_AUTH}" },
  });
});

test("[CLAUDE-15] servers of its user stay in force, in a workspace too, unless they are switched off", async () => {
  await using folders = await openFolders();
  const { home, folder, store } = folders;
  const confinement = { workspace: { folder, store }, secretFolders: [home], preset: undefined };
  const isStrict = (more: Partial<Launch>): boolean =>
    headlessArgs({ ...launch, ...more }).includes("--strict-mcp-config");
  assert.equal(isStrict({ ownSettings: true }), false);
  assert.equal(isStrict({ ownSettings: false }), true);
  assert.equal(isStrict({ ownSettings: true, confinement }), false);
  assert.equal(isStrict({ ownSettings: false, confinement }), true);
});

test("[AGENT-29] skills are in a plugin, and reading them is allowed", () => {
  const list = [
    { name: "tides", description: "About tides", folder: "/skills/tides" },
    { name: "moon", description: "About the moon", folder: "/skills/a, b (c)" },
  ];
  const args = headlessArgs({ ...launch, skills: { pluginFolder: "/tmp/p", list } });
  assert.ok(args.includes("--plugin-dir=/tmp/p"));
  const allowed = args.find((arg) => arg.startsWith("--allowedTools="));
  const rules = ["mcp__atrium", "Skill(atrium-skills:tides)", "Read(//skills/tides/**)"];
  // A rule with such a path would be read as several.
  assert.equal(allowed, `--allowedTools=${[...rules, "Skill(atrium-skills:moon)"].join(",")}`);
  assert.ok(!headlessArgs(launch).some((arg) => arg.startsWith("--plugin-dir")));
});
