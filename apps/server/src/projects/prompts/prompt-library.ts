/**
 * Which words a prompt has: those in `.atrium/prompts/<name>.md` of the repository's base, else those that come with
 * Atrium. What agents have changed does not count: nobody writes their own instructions.
 */
import { describeRefusal, type Outcome } from "@atrium/core";
import type { TreeFile } from "../../workspaces/port/workspaces.ts";
import { PROMPTS, readBuiltInPrompt, type PromptName, type PromptValues } from "./prompt-texts.ts";
import { fillTemplate, placesIn } from "./template.ts";

/** Reads a file of a repository's base; left out: the project has no repository that people wrote. */
export type ReadBaseFile = (path: string, maxBytes: number) => Promise<Outcome<TreeFile>>;

export interface PromptLibraryDeps {
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface PromptLibrary {
  fill<Name extends PromptName>(
    name: Name,
    values: PromptValues<Name>,
    readBaseFile?: ReadBaseFile,
  ): Promise<string>;
}

const PROMPTS_FOLDER = ".atrium/prompts";
const MAX_BYTES = 16 * 1024;
/** Of what it becomes: one file may have a place many times. */
const MAX_CHARS = 256 * 1024;
/** Stands for the words that come with Atrium. */
const DEFAULT = "{{default}}";

export function createPromptLibrary({ note }: PromptLibraryDeps): PromptLibrary {
  const builtIn = new Map<PromptName, string>();
  /** What was said about which content of which file, so that it is said once. */
  const noted = new Set<string>();

  function noteOnce(id: string, what: string, context: Readonly<Record<string, unknown>>): void {
    const once = `${id} ${what}`;
    if (noted.has(once)) return;
    noted.add(once);
    note(what, context);
  }

  function textOf(name: PromptName): string {
    const known = builtIn.get(name) ?? readBuiltInPrompt(name);
    builtIn.set(name, known);
    return known;
  }

  async function ownTextOf(name: PromptName, read: ReadBaseFile): Promise<string | undefined> {
    const path = `${PROMPTS_FOLDER}/${name}.md`;
    const file = await read(path, MAX_BYTES);
    if (!file.ok && file.code === "file.missing") return undefined;
    const id = file.ok ? `${path} ${file.value.id}` : path;
    const found = file.ok ? readText(file.value) : { problem: describeRefusal(file) };
    // What it has of ours counts as its own words.
    const text = found.text?.replace(DEFAULT, () => textOf(name).trim());
    const problem = found.problem ?? lacks(text ?? "", name);
    if (text === undefined || problem !== undefined) {
      noteOnce(id, "a repository's prompt is not used", { path, problem });
      return undefined;
    }
    const places: readonly string[] = PROMPTS[name].places;
    const unknown = new Set(placesIn(text)).difference(new Set(places));
    if (unknown.size > 0) {
      const names = { path, unknown: [...unknown], places };
      noteOnce(id, "a repository's prompt has unknown placeholders", names);
    }
    return text;
  }

  return {
    async fill(name, values, readBaseFile) {
      const own = readBaseFile && (await ownTextOf(name, readBaseFile));
      const filled = own && fillTemplate(own, values);
      if (filled !== undefined && filled.length <= MAX_CHARS) return filled;
      if (filled !== undefined) note("a repository's prompt is too long when filled in", { name });
      return fillTemplate(textOf(name), values);
    },
  };
}

type ReadText =
  | { readonly text: string; readonly problem?: undefined }
  | { readonly text?: undefined; readonly problem: string };

function readText({ type, content }: TreeFile): ReadText {
  if (type === "link") return { problem: "it is a link" };
  if (content === null) return { problem: `it is larger than ${MAX_BYTES} bytes` };
  const text = decode(content);
  if (text === undefined) return { problem: "it is not text in UTF-8" };
  return text.trim() === "" ? { problem: "it is empty" } : { text };
}

function lacks(text: string, name: PromptName): string | undefined {
  const there = new Set(placesIn(text));
  const missing = PROMPTS[name].required.filter((place) => !there.has(place));
  if (missing.length === 0) return undefined;
  return `it lacks ${missing.map((place) => `{{${place}}}`).join(", ")}`;
}

function decode(content: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
