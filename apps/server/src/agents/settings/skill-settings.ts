/** Skills that agents bring along, as atrium.config.json has them: folders, by their paths. */
import { resolve } from "node:path";
import { Type, type Static } from "@atrium/schema";
import { ConfigError } from "../../platform/config-error.ts";
import { readSkills } from "../skills/read-skills.ts";

const MAX_SKILL_PATHS = 100;

export const SkillFolders = Type.Array(Type.String({ minLength: 1, maxLength: 4_096 }), {
  maxItems: MAX_SKILL_PATHS,
  description:
    "Skills it gets: folders that have a SKILL.md, or folders of such folders; relative to where the server was started.",
});
export type SkillFolders = Static<typeof SkillFolders>;

/** By their absolute paths. One that is no skill is told before any agent needs it. */
export function settleSkills(
  whose: string,
  folders: SkillFolders,
  workingFolder: string,
): readonly string[] {
  const paths = folders.map((folder) => resolve(workingFolder, folder));
  const [problem] = readSkills(paths).problems;
  if (problem !== undefined) throw new ConfigError(`${whose}: skills: ${problem}`);
  return paths;
}
