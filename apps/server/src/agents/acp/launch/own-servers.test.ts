/** What programs are started with so that MCP servers of their users stay out. */
import assert from "node:assert/strict";
import { mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { textIn } from "../../testing/turns.ts";
import type { AcpSettings } from "../acp-settings.ts";
import { failureIn } from "../testing/acp-stage.ts";
import { openRecordedStage, type RecordedStage } from "../testing/recorded-stage.ts";

type Program = NonNullable<AcpSettings["program"]>;
const TIDES = { name: "tides", command: "tides-mcp", args: [], env: {} };
const RECORDED = join(import.meta.dirname, "../../testing/recorded-double.ts");

interface Listing extends RecordedStage {
  readonly folder: string;
}

/** The program as it was recorded; asked with `words` it does as the script says. */
function openListing(program: Program, words: string, script: string, more: object = {}): Listing {
  const scripts = mkdtempDisposableSync(join(tmpdir(), "atrium-listing-"));
  const file = join(scripts.path, "program.sh");
  const recording = join(import.meta.dirname, "../testing/recordings", `${program}.jsonl`);
  writeFileSync(
    file,
    `case "$*" in
  *"${words}") ${script} ;;
  *) printf %s "$OPENCODE_CONFIG_CONTENT" > config.json; exec "${process.execPath}" "${RECORDED}" "${recording}" "$@" ;;
esac
`,
  );
  const stage = openRecordedStage(program, {
    command: ["/bin/sh", file, "--acp"],
    ownSettings: false,
    mcpServers: [TIDES],
    ...more,
  });
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      scripts[Symbol.dispose]();
    },
  };
}

test("[ACP-25] Gemini and Qwen are told which MCP servers they may use: ours and those of the settings", async () => {
  const allowed = ["--allowed-mcp-server-names=atrium", "--allowed-mcp-server-names=tides"];
  for (const program of ["gemini", "qwen"] as const) {
    await using stage = openRecordedStage(program, { ownSettings: false, mcpServers: [TIDES] });
    await stage.play();
    const { argv } = stage.received()[0];
    assert.deepEqual(
      argv.filter((arg: string) => arg !== "--skip-trust"),
      allowed,
    );
    await using usual = openRecordedStage(program, { mcpServers: [TIDES] });
    await usual.play();
    assert.doesNotMatch(JSON.stringify(usual.received()[0]), /allowed-mcp/);
  }
});

test("[ACP-25] Copilot is told which not to use, of those that it lists", async () => {
  const listed = JSON.stringify({ mcpServers: { mine: {}, tides: {}, "other one": {} } });
  await using stage = openListing("copilot", "mcp list --json", `echo '${listed}'`);
  assert.match(textIn(await stage.play()), /^ECHO: /);
  assert.deepEqual(stage.received()[0].argv, [
    "--acp",
    "--disable-builtin-mcps",
    "--disable-mcp-server=mine",
    "--disable-mcp-server=other one",
  ]);
});

test("[ACP-25] opencode has those that it lists switched off in its settings", async () => {
  const listed = JSON.stringify({ model: "x", mcp: { mine: { type: "local" }, tides: {} } });
  await using stage = openListing("opencode", "debug config", `echo '${listed}'`);
  assert.equal(textIn(await stage.play()), "ECHO: hello there");
  const config = JSON.parse(readFileSync(join(stage.folder, "config.json"), "utf8"));
  assert.deepEqual(config.mcp, { mine: { enabled: false } });
  await using none = openListing("opencode", "debug config", "echo '{}'");
  await none.play();
  assert.doesNotMatch(readFileSync(join(none.folder, "config.json"), "utf8"), /"mcp"/);
});

test("[ACP-25] a program that does not list them fails the turn, and is not started with them", async () => {
  const scripts = [
    ["echo 'No such command.' >&2; exit 2", {}],
    ["echo not-json", {}],
    ["echo '[]'", {}],
    ["sleep 1000", { startTimeoutMs: 50 }],
    ["while :; do echo more and more; done", { maxOutputBytes: 1000 }],
  ] as const;
  for (const [script, more] of scripts) {
    await using stage = openListing("copilot", "mcp list --json", script, more);
    const { kind, reason } = failureIn(await stage.play());
    assert.equal(kind, "unavailable");
    assert.match(reason, /mcp list --json" did not list the MCP servers of its user, so they/);
    assert.match(reason, /take ownSettings out of its runtime/);
    assert.throws(() => stage.received(), /ENOENT/);
  }
});
