/** Programs that run a command at every step of their work: where they read that from, and at which steps. */
import { join } from "node:path";
import type { Environment } from "../../command-line/environment.ts";

export interface HookedProgram {
  readonly name: string;
  readonly title: string;
  /** The file that its hooks are in. */
  readonly file: (env: Environment["env"], userHome: string) => string;
  readonly events: readonly string[];
  /** What else stands beside the command. */
  readonly options: Readonly<Record<string, unknown>>;
  /** What the user has to do besides. */
  readonly note?: string;
}

const SESSION = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];

/** A hook for permissions keeps the dialog of these programs from opening, so they have none; Claude Code's stays. */
export const HOOKED_PROGRAMS: readonly HookedProgram[] = [
  {
    name: "claude-code",
    title: "Claude Code",
    file: (env, userHome) =>
      join(env["CLAUDE_CONFIG_DIR"] ?? join(userHome, ".claude"), "settings.json"),
    events: [
      ...SESSION,
      "PostToolUseFailure",
      "Notification",
      "SubagentStart",
      "SubagentStop",
      "StopFailure",
      "SessionEnd",
    ],
    // It does not wait for them.
    options: { async: true, timeout: 10 },
  },
  {
    name: "codex",
    title: "Codex",
    file: (env, userHome) => join(env["CODEX_HOME"] ?? join(userHome, ".codex"), "hooks.json"),
    events: [...SESSION, "SessionEnd"],
    options: { timeout: 3 },
    note: "Codex asks you once, at its next start, to review the hooks; until then none runs.",
  },
  {
    name: "gemini",
    title: "Gemini CLI",
    file: (_env, userHome) => join(userHome, ".gemini", "settings.json"),
    events: ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
    options: { timeout: 10_000 },
  },
  {
    name: "qwen",
    title: "Qwen Code",
    file: (_env, userHome) => join(userHome, ".qwen", "settings.json"),
    events: [...SESSION, "SessionEnd"],
    options: { timeout: 10_000 },
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    file: (env, userHome) =>
      join(env["COPILOT_HOME"] ?? join(userHome, ".copilot"), "settings.json"),
    events: [...SESSION, "Notification", "SessionEnd"],
    options: { timeout: 10 },
  },
];
