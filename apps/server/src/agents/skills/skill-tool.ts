/** The tool by which an agent reads its skills: their own files, and nothing around them. */
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { PathRefused, readInside } from "../../platform/folder-files.ts";
import { cutLongText } from "../../platform/long-text.ts";
import type { Skill, ToolDeclaration, ToolResult } from "../turn/agent-runtime.ts";
import { fieldsOf, textIn } from "../turn/json-fields.ts";
import { SKILL_FILE } from "./read-skills.ts";

const MAX_FILE_BYTES = 1024 * 1024;
const MAX_LISTED_FILES = 100;

export const READ_SKILL: ToolDeclaration = {
  name: "read_skill",
  description:
    "Reads a skill: its instructions, or with `path` another of its files. Read a skill before you do what it is for.",
  input: {
    type: "object",
    properties: {
      name: { type: "string", description: "The name of the skill." },
      path: { type: "string", description: `A file of the skill; ${SKILL_FILE} if left out.` },
    },
    required: ["name"],
    additionalProperties: false,
  },
};

export async function callReadSkill(skills: readonly Skill[], input: unknown): Promise<ToolResult> {
  const wanted = textIn(fieldsOf(input), "name");
  const path = textIn(fieldsOf(input), "path");
  const skill = skills.find(({ name }) => name === wanted);
  if (skill === undefined) {
    const names = skills.map(({ name }) => name).join(", ");
    return objection(`There is no skill of that name. Skills: ${names}.`);
  }
  try {
    const { bytes } = await readInside(skill.folder, path ?? SKILL_FILE, MAX_FILE_BYTES);
    const text = cutLongText(bytes.toString("utf8"));
    return {
      text: path === undefined ? await withFiles(text, skill) : text,
      isError: false,
      wrote: [],
    };
  } catch (cause) {
    if (cause instanceof PathRefused) return objection(cause.message);
    throw cause;
  }
}

async function withFiles(text: string, { folder }: Skill): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((name) => name !== SKILL_FILE)
    .toSorted();
  if (files.length === 0) return text;
  const more =
    files.length > MAX_LISTED_FILES ? `, and ${files.length - MAX_LISTED_FILES} more` : "";
  return `${text}\n\nOther files of this skill: ${files.slice(0, MAX_LISTED_FILES).join(", ")}${more}`;
}

function objection(text: string): ToolResult {
  return { text, isError: true, wrote: [] };
}
