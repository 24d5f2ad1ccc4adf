/** Every program that can be an agent's, with everything that can be wrong with one. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gone } from "../../../../test/kit/processes.ts";
import { markedProcesses } from "../confinement/process-tree.ts";
import { systemTimers, type Timers } from "../platform/timers.ts";
import { createAcpRuntime } from "./acp/acp.ts";
import { createClaudeCodeRuntime } from "./claude-code/claude-code.ts";
import { withDefaults } from "./claude-code/protocol/claude-settings.ts";
import { createClineRuntime } from "./cline/cline.ts";
import { createCodexRuntime } from "./codex/codex.ts";
import { createCommandRuntime } from "./command/command.ts";
import {
  makeBrokenProgram,
  type ProgramFault,
  type ProgramKind,
} from "./testing/broken-program.ts";
import { createTestHost } from "./testing/test-host.ts";
import { eventsOf, textIn, turnOf } from "./testing/turns.ts";
import type { AgentRuntime } from "./turn/agent-runtime.ts";

interface Place {
  readonly file: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take; no time at all for one that hangs. */
  readonly startTimeoutMs: number;
}

interface Row {
  readonly kind: ProgramKind;
  readonly open: (place: Place) => AgentRuntime;
  /** By which a person knows which program is meant. */
  readonly named?: RegExp;
  readonly login: RegExp;
}

/** What takes minutes there takes a moment here. */
const HURRY = 300;
const hurried: Timers = {
  ...systemTimers,
  after: (ms, run) => systemTimers.after(Math.ceil(ms / HURRY), run),
};
const PATIENT_MS = 120_000;
const deps = { timers: systemTimers, newSecret: randomUUID, newMark: randomUUID };

const acp = (login: RegExp): Row => ({
  kind: "acp",
  open: ({ file, ...place }) =>
    createAcpRuntime("acp", { ...place, command: [file, "--acp"] }, deps),
  login,
});

const ROWS: Readonly<Record<string, Row>> = {
  claude: {
    kind: "claude-code",
    open({ file, cwd, env, startTimeoutMs }) {
      const written = { command: file, cwd, transport: "headless", env: Object.keys(env) } as const;
      const settings = withDefaults(written, cwd, (name) => env[name]);
      const { after } = startTimeoutMs === PATIENT_MS ? systemTimers : hurried;
      const now = (): number => Date.now() * HURRY;
      return createClaudeCodeRuntime("claude", settings, { newSecret: randomUUID, now, after });
    },
    named: /Claude Code|claude/,
    login: /Run "claude" once as the server's user and log in/,
  },
  codex: {
    kind: "codex",
    open: ({ file, ...place }) => createCodexRuntime("codex", { ...place, command: file }, deps),
    named: /[Cc]odex/,
    login: /Run "codex login"/,
  },
  opencode: acp(/Run `opencode auth login`/),
  gemini: acp(/Start `gemini` in a terminal once and log in/),
  qwen: acp(/Run `qwen auth`/),
  copilot: acp(/Run `copilot login`/),
  "codex-acp": acp(/Run `codex login`/),
  cline: {
    kind: "cline",
    open: ({ file, ...place }) =>
      createClineRuntime("cline", { ...place, command: [file], approval: "deny" }, deps),
    login: /Log in with `cline auth`/,
  },
};

/** The way out that each must name. */
const WAYS: Readonly<Record<Exclude<ProgramFault, "wants a login">, RegExp>> = {
  hangs: /in a terminal|by hand|Does its command start it/,
  "prints garbage": /the sea is wide.*(?:[Cc]heck "command"|Does its command)/s,
  "dies at its start": /no tide.*in a terminal/s,
  "is too old": /[Uu]pdate/,
  "may not be run": /chmod \+x/,
};
const FAULTS: readonly ProgramFault[] = [
  "hangs",
  "prints garbage",
  "dies at its start",
  "wants a login",
  "is too old",
  "may not be run",
];
const MARK = "ATRIUM_FAULTY_PROGRAM";

for (const [name, { kind, open, login, named = new RegExp(name) }] of Object.entries(ROWS)) {
  describe(name, () => {
    for (const fault of FAULTS) {
      test(`[AGENT-31] ${name} that ${fault} is one sentence that says what to do`, async () => {
        using folder = mkdtempDisposableSync(join(tmpdir(), "atrium-faulty-"));
        const cwd = join(folder.path, "work");
        mkdirSync(cwd);
        writeFileSync(join(cwd, "kept.txt"), "kept");
        const mark = randomUUID();
        const env = { PATH: process.env["PATH"] ?? "", HOME: folder.path, [MARK]: mark };
        const file = makeBrokenProgram(folder.path, name, kind, fault);
        const startTimeoutMs = fault === "hangs" ? 500 : PATIENT_MS;
        const runtime = open({ file, cwd, env, startTimeoutMs });
        const other = createCommandRuntime("other", { command: ["cat"], cwd, env }, deps);
        // What sleeps in the turn is in a hurry too.
        const [events, healthy] = await Promise.all([
          eventsOf(runtime, turnOf("Hello"), createTestHost({ speed: HURRY })),
          eventsOf(other, turnOf("Hello"), createTestHost({ speed: 1 })),
        ]);
        const last = events.at(-1);
        assert.ok(last?.type === "failed", JSON.stringify(events));
        assert.equal(last.kind, "unavailable", last.reason);
        assert.match(last.reason, named);
        assert.match(last.reason, fault === "wants a login" ? login : WAYS[fault]);
        assert.ok(last.reason.length < 600, last.reason);
        assert.equal(textIn(healthy).trim(), "Hello");
        await runtime.close?.();
        await gone(markedProcesses(`${MARK}=${mark}`));
      });
    }
  });
}
