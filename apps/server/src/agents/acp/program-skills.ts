/** What a program is started with so that it has its agent's skills, in the way it has for them. */
import type { SkillPlugins } from "../skills/skill-plugin.ts";
import type { Skill } from "../turn/agent-runtime.ts";
import { fieldsOf, parseFields } from "../turn/json-fields.ts";
import type { AcpProgram } from "./programs.ts";

export interface SkillLaunch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it reads for that, besides the skills. */
  readonly readable: readonly string[];
}

const NOTHING: SkillLaunch = { args: [], env: {}, readable: [] };
/** Settings that opencode merges with those of its user. */
const OPENCODE_CONFIG = "OPENCODE_CONFIG_CONTENT";

export async function skillLaunch(
  { skillsBy }: AcpProgram,
  skills: readonly Skill[],
  given: Readonly<Record<string, string>>,
  plugins: SkillPlugins,
): Promise<SkillLaunch> {
  if (skillsBy === undefined || skills.length === 0) return NOTHING;
  switch (skillsBy) {
    case "plugin": {
      const folder = await plugins.folderFor(skills);
      return { args: [`--plugin-dir=${folder}`], env: {}, readable: [folder] };
    }
    case "opencode-config":
      return { ...NOTHING, env: { [OPENCODE_CONFIG]: configWith(given[OPENCODE_CONFIG], skills) } };
  }
}

function configWith(text = "{}", skills: readonly Skill[]): string {
  const config = parseFields(text) ?? {};
  const own = fieldsOf(config["skills"]);
  const paths: readonly unknown[] = Array.isArray(own["paths"]) ? own["paths"] : [];
  const all = [...paths, ...skills.map(({ folder }) => folder)];
  return JSON.stringify({ ...config, skills: { ...own, paths: all } });
}
