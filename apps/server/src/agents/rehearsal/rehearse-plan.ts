/** A plan made from the words of the request and the roles of the team; the form is real, the thought is not. */
import type { Dice } from "./dice.ts";
import { capitalized, readRequest, shorten, subjectOf } from "./improvise.ts";

interface Planned {
  readonly title: string;
  readonly description: string;
  readonly role: string;
}

/** In the order in which such work is usually done. */
const TRADES: readonly {
  readonly role: RegExp;
  readonly title: (topic: string) => string;
  readonly description: string;
}[] = [
  {
    role: /research|analy/i,
    title: (topic) => `Find out what matters for ${topic}`,
    description: "What is known, from where, and what it means for the decision at hand.",
  },
  {
    role: /design/i,
    title: (topic) => `Sketch ${topic}`,
    description: "Two variants to compare, and the one thing to see first.",
  },
  {
    role: /engineer|develop/i,
    title: (topic) => `Build a first version of ${topic}`,
    description: "The smallest version that works from end to end.",
  },
  {
    role: /writ|edit/i,
    title: (topic) => `Write the words for ${topic}`,
    description: "For someone who was not here, in half the length.",
  },
];

const QUOTED = /What was asked:\n((?:>.*\n?)+)/;
const MEMBER = /^- (?<name>.+), (?<role>.+)$/gm;
const MAX_TITLE_CHARS = 70;

/** What a person asked for, as the prompt quotes it. */
export function quotedRequest(prompt: string): string {
  return (QUOTED.exec(prompt)?.[1] ?? prompt).replaceAll(/^> ?/gm, "").trim();
}

export function rehearsePlan(prompt: string, words: string, dice: Dice): string {
  const request = readRequest(words);
  const topic = request.kind === "greeting" ? "a first draft" : subjectOf(request.topic);
  const roles = [...prompt.matchAll(MEMBER)].map((member) => member.groups?.["role"] ?? "");
  const tasks = TRADES.flatMap(({ role, title, description }): readonly Planned[] => {
    const fitting = roles.find((each) => role.test(each));
    if (fitting === undefined) return [];
    return [{ title: title(shorten(topic, MAX_TITLE_CHARS)), description, role: fitting }];
  });
  const chosen = tasks.length > 3 ? tasks.slice(0, dice.pick([3, 4])) : tasks;
  const plan = {
    title: capitalized(shorten(topic, MAX_TITLE_CHARS)),
    summary: "A rehearsal plan: the usual steps, one for each trade of the team.",
    tasks:
      chosen.length > 0 ? chosen : [{ title: shorten(words, MAX_TITLE_CHARS), description: words }],
  };
  return `(Rehearsal.) This is how I would share it out.\n\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\`\n`;
}
