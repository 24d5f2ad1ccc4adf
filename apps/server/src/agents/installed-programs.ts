/** Which agents could be connected: the programs of the known ones that are on this computer. */
import { findProgram } from "../confinement/find-program.ts";

const KNOWN = ["claude", "codex-acp", "gemini", "opencode", "qwen", "copilot", "ollama"] as const;

export async function findInstalledPrograms(path: string): Promise<readonly string[]> {
  const found = await Promise.all(
    KNOWN.map(async (name) => ((await findProgram(name, path)) === undefined ? [] : [name])),
  );
  return found.flat();
}
