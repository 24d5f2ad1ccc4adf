/**
 * The programs whose sessions can be seen in the files that they keep: where those are, and how a running one is known.
 * The facts are of their present versions; what a later one keeps otherwise is not seen.
 */
import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Clock } from "@atrium/core";
import { fieldsOf, parseFields } from "../../agents/turn/json-fields.ts";
import { createClineFinder } from "./cline-finder.ts";
import { createOpencodeFinder } from "./opencode-finder.ts";
import { createRegistryFinder, type RegistryDeps } from "./registry-finder.ts";
import type { ProgramPattern } from "./running-programs.ts";
import type { SessionFinder } from "./seen-session.ts";
import { listTranscripts } from "./transcript-files.ts";
import {
  createTranscriptFinder,
  type FoundTranscript,
  type TranscriptProgram,
} from "./transcript-finder.ts";
import { foldClaudeLine } from "./transcripts/claude-code.ts";
import { foldCodexLine } from "./transcripts/codex.ts";
import { foldCopilotLine } from "./transcripts/copilot.ts";
import { foldGeminiLine } from "./transcripts/gemini.ts";
import { foldQwenLine } from "./transcripts/qwen.ts";
import { readInside } from "./transcripts/transcript-tail.ts";

export interface FinderDeps extends RegistryDeps {
  readonly clock: Clock;
  readonly readEnv: (name: string) => string | undefined;
}

/** Of those without a list of what runs, by the words they are started with. */
export const RUNNING_PATTERNS: ReadonlyMap<string, ProgramPattern> = new Map([
  ["codex", /(?:^|\/)codex(?:\.js)?$/],
  ["copilot", /(?:^|\/)copilot$|\/@github\/copilot[^/]*\//],
  ["gemini", /(?:^|\/)gemini$|\/@google\/gemini-cli\//],
  ["opencode", /(?:^|\/)\.?opencode$/],
  ["cline", /(?:^|\/)cline$/],
]);

const MAX_PROJECTS_BYTES = 1024 * 1024;

/** By the name of the program. */
export function createFinders(deps: FinderDeps): ReadonlyMap<string, SessionFinder> {
  const { clock, readEnv } = deps;
  const home = homeIn(readEnv);
  const at = (variable: string, ...path: readonly string[]): string =>
    readEnv(variable) ?? join(home, ...path);
  const claude = claudeFolder(readEnv);
  const qwen = join(home, ".qwen");
  const codex = at("CODEX_HOME", ".codex");
  const copilot = at("COPILOT_HOME", ".copilot");
  const gemini = join(home, ".gemini");
  const opencode = join(at("XDG_DATA_HOME", ".local", "share"), "opencode", "opencode.db");
  return new Map<string, SessionFinder>([
    ["claude-code", createRegistryFinder({ root: claude, fold: foldClaudeLine, chats: "" }, deps)],
    ["qwen", createRegistryFinder({ root: qwen, fold: foldQwenLine, chats: "chats" }, deps)],
    [
      "codex",
      createTranscriptFinder(
        {
          root: codex,
          fold: foldCodexLine,
          list: below(join(codex, "sessions"), 3, /^rollout-.*\.jsonl$/),
        },
        clock,
      ),
    ],
    [
      "copilot",
      createTranscriptFinder(
        {
          root: copilot,
          fold: foldCopilotLine,
          list: below(join(copilot, "session-state"), 1, /^events\.jsonl$/),
        },
        clock,
      ),
    ],
    [
      "gemini",
      createTranscriptFinder(
        { root: gemini, fold: foldGeminiLine, list: (since) => listGemini(gemini, since) },
        clock,
      ),
    ],
    ["opencode", createOpencodeFinder(opencode, clock)],
    ["cline", createClineFinder(at("CLINE_DIR", ".cline"), clock)],
  ]);
}

export function claudeFolder(readEnv: FinderDeps["readEnv"]): string {
  return readEnv("CLAUDE_CONFIG_DIR") ?? join(homeIn(readEnv), ".claude");
}

function homeIn(readEnv: FinderDeps["readEnv"]): string {
  return readEnv("HOME") ?? homedir();
}

function below(root: string, depth: number, name: RegExp): TranscriptProgram["list"] {
  return async (since) =>
    (await listTranscripts({ root, depth, name, since })).map((path) => ({ path }));
}

/** Gemini names the folder of a project in a file of its own, or after the digest of its path. */
async function listGemini(root: string, since: number): Promise<readonly FoundTranscript[]> {
  const text = await readInside(root, join(root, "projects.json"), MAX_PROJECTS_BYTES);
  const projects = fieldsOf(parseFields(text ?? "")?.["projects"]);
  const found: FoundTranscript[] = [];
  for (const [folder, name] of Object.entries(projects)) {
    if (typeof name !== "string" || !/^[\w.-]{1,200}$/.test(name)) continue;
    const digest = createHash("sha256").update(folder).digest("hex");
    for (const project of [name, digest]) {
      const chats = join(root, "tmp", project, "chats");
      const search = { root: chats, depth: 0, name: /^session-.*\.jsonl$/, since };
      found.push(...(await listTranscripts(search)).map((path) => ({ path, folder })));
    }
  }
  return found;
}
