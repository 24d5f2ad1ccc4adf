/** Agents that can be connected, the settings each needs, and which of them are on the server's computer. Pure. */
export interface AgentProgram {
  /** Of its runtime in the settings. */
  readonly id: string;
  readonly name: string;
  readonly program: string;
  readonly runtime: Readonly<Record<string, unknown>>;
}

export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  { id: "claude", name: "Claude Code", program: "claude", runtime: { type: "claude-code" } },
  { id: "codex", name: "Codex", program: "codex-acp", runtime: acp("codex-acp") },
  {
    id: "gemini",
    name: "Gemini CLI",
    program: "gemini",
    runtime: acp("gemini", "--acp", "--skip-trust"),
  },
  { id: "opencode", name: "opencode", program: "opencode", runtime: acp("opencode", "acp") },
  { id: "qwen", name: "Qwen Code", program: "qwen", runtime: acp("qwen", "--acp") },
  {
    id: "copilot",
    name: "GitHub Copilot CLI",
    program: "copilot",
    runtime: acp("copilot", "--acp"),
  },
  {
    id: "local",
    name: "Ollama",
    program: "ollama",
    runtime: {
      type: "model",
      provider: "openai-compatible",
      baseUrl: "http://127.0.0.1:11434/v1",
      model: "qwen3:8b",
    },
  },
];

function acp(...command: readonly string[]): AgentProgram["runtime"] {
  return { type: "acp", command };
}

/** Those that are there first, each in the order of the list. */
export function installedFirst(installed: ReadonlySet<string>): readonly AgentProgram[] {
  return AGENT_PROGRAMS.toSorted(
    (a, b) => Number(installed.has(b.program)) - Number(installed.has(a.program)),
  );
}

export function settingsFor({ id, runtime }: AgentProgram): string {
  return JSON.stringify({ runtimes: { [id]: runtime } }, null, 2);
}
