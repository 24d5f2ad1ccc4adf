/** A plan made from the words of the request and the roles of the team; the form is real, the thought is not. */
import type { Dice } from "./dice.ts";
import { capitalized, programSubject, readRequest, shorten, subjectOf } from "./improvise.ts";
import { checkOf } from "./program.ts";

interface Planned {
  readonly title: string;
  readonly description: string;
  readonly role: string;
  readonly accept: readonly string[];
  readonly after?: readonly number[];
  readonly verify?: readonly string[];
}

interface Trade {
  readonly role: RegExp;
  readonly title: (topic: string) => string;
  readonly description: string;
  readonly accept: readonly string[];
  /** It writes a program, whose test is a check. */
  readonly makesProgram?: true;
  /** It needs what the one who writes the program has made. */
  readonly needsProgram?: true;
}

/** In the order in which such work is usually done. */
const TRADES: readonly Trade[] = [
  {
    role: /research|analy/i,
    title: (topic) => `Find out what matters for ${topic}`,
    description: "What is known, from where, and what it means for the decision at hand.",
    accept: ["Every statement says where it is from."],
  },
  {
    role: /design/i,
    title: (topic) => `Sketch ${topic}`,
    description: "Two variants to compare, and the one thing to see first.",
    accept: ["Two variants can be compared side by side."],
  },
  {
    role: /engineer|develop/i,
    title: (topic) => `Build a first version of ${topic}`,
    description: "The smallest version that works from end to end.",
    accept: ["It runs without anything else being installed.", "Its test passes."],
    makesProgram: true,
  },
  {
    role: /writ|edit/i,
    title: (topic) => `Write the words for ${topic}`,
    description: "For someone who was not here, in half the length.",
    accept: ["Someone who was not here understands it at the first reading."],
    needsProgram: true,
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
  const fitting = TRADES.flatMap((trade) => {
    const role = roles.find((each) => trade.role.test(each));
    return role === undefined ? [] : [{ ...trade, role }];
  });
  const chosen = fitting.length > 3 ? fitting.slice(0, dice.pick([3, 4])) : fitting;
  const program = chosen.findIndex(({ makesProgram }) => makesProgram === true) + 1;
  const tasks = chosen.map(({ title, makesProgram, needsProgram, ...trade }): Planned => {
    const { name } = programSubject(
      request.kind === "greeting" ? topic : request.topic,
      trade.role,
    );
    return {
      ...trade,
      title: title(shorten(topic, MAX_TITLE_CHARS)),
      ...(makesProgram === true && { verify: [checkOf(name)] }),
      ...(needsProgram === true && program > 0 && { after: [program] }),
    };
  });
  const plan = {
    title: capitalized(shorten(topic, MAX_TITLE_CHARS)),
    summary: "A rehearsal plan: the usual steps, one for each trade of the team.",
    tasks:
      tasks.length > 0 ? tasks : [{ title: shorten(words, MAX_TITLE_CHARS), description: words }],
  };
  return `(Rehearsal.) This is how I would share it out.\n\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\`\n`;
}
