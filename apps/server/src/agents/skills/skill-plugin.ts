/**
 * Skills as a plugin of Claude Code's format, for programs that load one by its folder: links to the skills, in a folder
 * of our own, so that nothing is written where people and agents work.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Skill } from "../turn/agent-runtime.ts";

export interface SkillPlugins extends AsyncDisposable {
  /** The folder of one that has these; made by the first who needs it. */
  folderFor(skills: readonly Skill[]): Promise<string>;
}

/** By which programs know it: its skills are `atrium-skills:NAME`. */
export const SKILL_PLUGIN = "atrium-skills";

const MANIFEST = {
  name: SKILL_PLUGIN,
  version: "1.0.0",
  description: "Skills that Atrium's settings name",
};

export function createSkillPlugins(): SkillPlugins {
  const made = new Map<string, Promise<string>>();
  return {
    folderFor(skills) {
      const key = JSON.stringify(skills.map(({ name, folder }) => [name, folder]));
      const folder = made.get(key) ?? makePlugin(skills);
      made.set(key, folder);
      return folder;
    },
    async [Symbol.asyncDispose]() {
      const folders = await Promise.allSettled(made.values());
      made.clear();
      for (const each of folders) {
        if (each.status === "fulfilled") await rm(each.value, { recursive: true, force: true });
      }
    },
  };
}

async function makePlugin(skills: readonly Skill[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "atrium-skills-"));
  await mkdir(join(folder, ".claude-plugin"));
  await writeFile(join(folder, ".claude-plugin", "plugin.json"), JSON.stringify(MANIFEST));
  await mkdir(join(folder, "skills"));
  for (const { name, folder: target } of skills) {
    await symlink(target, join(folder, "skills", name), "dir");
  }
  return folder;
}
