/**
 * Reads skills where they are, whenever they are needed: their folders belong to people, who change them. A folder that
 * cannot be used is named in one sentence and left out; the others are used.
 */
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Skill } from "../turn/agent-runtime.ts";
import { readFrontMatter } from "./skill-front-matter.ts";

export const SKILL_FILE = "SKILL.md";

export interface FoundSkills {
  /** One of each name. */
  readonly skills: readonly Skill[];
  readonly problems: readonly string[];
}

/** As the format has it. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_HEAD_BYTES = 64 * 1024;
const MAX_SKILLS = 200;

/** Each path is a skill or a folder of skills. Of two with one name the later counts. */
export function readSkills(paths: readonly string[]): FoundSkills {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const path of paths) {
    const folders = skillFoldersIn(path);
    const read = typeof folders === "string" ? [folders] : folders.map(readSkill);
    for (const skill of read) {
      if (typeof skill === "string") problems.push(skill);
      else skills.set(skill.name, skill);
    }
  }
  const found = [...skills.values()];
  if (found.length <= MAX_SKILLS) return { skills: found, problems };
  const tooMany = `there are ${found.length} skills; the first ${MAX_SKILLS} are used`;
  return { skills: found.slice(0, MAX_SKILLS), problems: [...problems, tooMany] };
}

/** A text says why there are none. */
function skillFoldersIn(path: string): readonly string[] | string {
  try {
    if (!statSync(path).isDirectory()) return `${path} is not a folder; name the folder of a skill`;
    if (isFile(join(path, SKILL_FILE))) return [path];
    const below = readdirSync(path)
      .toSorted()
      .map((name) => join(path, name))
      .filter((folder) => isFile(join(folder, SKILL_FILE)));
    return below.length > 0 ? below : `there is no ${SKILL_FILE} in ${path}, nor in a folder of it`;
  } catch (cause) {
    return `${path} cannot be read (${codeOf(cause)})`;
  }
}

function readSkill(folder: string): Skill | string {
  const file = join(folder, SKILL_FILE);
  try {
    const values = readFrontMatter(headOf(file));
    const name = values?.get("name") ?? "";
    const description = values?.get("description") ?? "";
    if (values === undefined) return `${file} does not begin with --- and its name and description`;
    if (!NAME.test(name) || name.length > MAX_NAME_CHARS) {
      return `${file}: name must have 1 to ${MAX_NAME_CHARS} lowercase letters, digits and single hyphens`;
    }
    if (description === "" || description.length > MAX_DESCRIPTION_CHARS) {
      return `${file}: description must have 1 to ${MAX_DESCRIPTION_CHARS} characters`;
    }
    return { name, description, folder: realpathSync(folder) };
  } catch (cause) {
    return `${file} cannot be read (${codeOf(cause)})`;
  }
}

function headOf(file: string): string {
  const opened = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(MAX_HEAD_BYTES);
    return bytes.toString("utf8", 0, readSync(opened, bytes, 0, MAX_HEAD_BYTES, 0));
  } finally {
    closeSync(opened);
  }
}

/** Also behind a link; a pipe of that name would keep its reader waiting. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}
