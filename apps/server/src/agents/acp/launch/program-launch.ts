/** What a program is started with besides, in the way it has for it: its agent's skills, and that it asks. */
import type { SkillPlugins } from "../../skills/skill-plugin.ts";
import { opencodeConfig, type ProgramEquipment } from "./opencode-config.ts";
import type { AcpProgram } from "./programs.ts";

export interface ProgramLaunch {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it reads for that, besides the skills. */
  readonly readable: readonly string[];
}

const NOTHING: ProgramLaunch = { args: [], env: {}, readable: [] };
/** Settings that opencode merges with those of its user. */
const OPENCODE_CONFIG = "OPENCODE_CONFIG_CONTENT";

export async function programLaunch(
  { startsWith }: AcpProgram,
  equipment: ProgramEquipment,
  given: Readonly<Record<string, string>>,
  plugins: SkillPlugins,
): Promise<ProgramLaunch> {
  if (startsWith === undefined) return NOTHING;
  switch (startsWith) {
    case "opencode-config": {
      const config = opencodeConfig(given[OPENCODE_CONFIG], equipment);
      return { ...NOTHING, env: { [OPENCODE_CONFIG]: config } };
    }
    case "skill-plugin": {
      if (equipment.skills.length === 0) return NOTHING;
      const folder = await plugins.folderFor(equipment.skills);
      return { args: [`--plugin-dir=${folder}`], env: {}, readable: [folder] };
    }
  }
}
