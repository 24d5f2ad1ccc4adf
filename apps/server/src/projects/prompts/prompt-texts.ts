/** The prompts there are, by name: what each is for, what can be filled into it, and the words that come with Atrium. */
import { readFileSync } from "node:fs";

interface PromptPlaces {
  readonly places: readonly string[];
  /** Without these it would not say what it is for. */
  readonly required: readonly string[];
}

export const PROMPTS = {
  /** How to plan; for the planner's instructions. */
  planner: { places: [], required: [] },
  /** How to work on a task; for the agent's instructions. */
  worker: { places: [], required: [] },
  plan: {
    places: ["request", "constraints", "team", "outline", "conventions_file", "conventions"],
    required: ["request", "team"],
  },
  replan: { places: ["problem"], required: ["problem"] },
  task: {
    places: [
      "number",
      "count",
      "title",
      "description",
      "project",
      "request",
      "constraints",
      "accept",
      "verify",
      "kind",
      "plan",
      "results",
      "outline",
      "conventions_file",
      "conventions",
      "round",
    ],
    required: ["title", "description", "request", "accept", "round"],
  },
  /** What follows are rounds of a task, filled into `{{round}}`. */
  interrupted: { places: ["summary"], required: [] },
  fork: { places: [], required: [] },
  rework: {
    places: ["wishes", "comments", "version", "summary", "files"],
    required: ["wishes", "comments"],
  },
  "checks-failed": { places: ["failures", "summary"], required: ["failures"] },
  conflict: { places: ["others", "paths", "excerpts", "sides"], required: ["paths"] },
} as const satisfies Readonly<Record<string, PromptPlaces>>;

export type PromptName = keyof typeof PROMPTS;

/** One for each place of a prompt. */
export type PromptValues<Name extends PromptName> = Readonly<
  Record<(typeof PROMPTS)[Name]["places"][number], string>
>;

/** Beside this file, so that they are there wherever it is. */
export function readBuiltInPrompt(name: PromptName): string {
  return readFileSync(new URL(`templates/${name}.md`, import.meta.url), "utf8");
}
