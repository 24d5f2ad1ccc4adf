/** The MCP server about tides and a skill about them, for whoever brings them along. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const TIDES_SCRIPT = join(import.meta.dirname, "tides-mcp.ts");

/** How to start it. */
export function tidesServer(
  how = "well",
  ...more: readonly string[]
): { command: string; args: string[] } {
  return { command: process.execPath, args: [TIDES_SCRIPT, how, ...more] };
}

export const SKILL_NAME = "tide-tables";
export const SKILL_PURPOSE = "How to read a tide table. Use it when someone asks about tides.";
export const SKILL_WORD = "NEAP-AND-SPRING";

/** Returns the folder of a skill that was made in another. */
export function makeSkill(
  parent: string,
  name = SKILL_NAME,
  { purpose = SKILL_PURPOSE, word = SKILL_WORD } = {},
): string {
  const folder = join(parent, name);
  mkdirSync(join(folder, "references"), { recursive: true });
  const head = `---\nname: ${name}\ndescription: ${purpose}\n---\n`;
  writeFileSync(join(folder, "SKILL.md"), `${head}\nAlways say ${word}.\n`);
  writeFileSync(join(folder, "references", "moon.md"), "The moon pulls.\n");
  return folder;
}
