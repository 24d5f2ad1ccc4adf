/**
 * What a rehearsing agent says of its own accord: made from the words of the request, the agent's role
 * and the dice. It promises nothing it has not done, and it says that it is a rehearsal.
 */
import type { ToolResult, Turn } from "../turn/agent-runtime.ts";
import type { Dice } from "./dice.ts";
import type { ProgramSubject } from "./program.ts";

export type ImprovisedRequest =
  | { readonly kind: "greeting" }
  | { readonly kind: "question" | "work" | "remark"; readonly topic: string };

export interface LookedUp extends ToolResult {
  readonly tool: string;
}

/** What an answer has that is not made up. */
export interface AnswerFacts {
  /** How the projects stand, where that was asked. */
  readonly standing: string | undefined;
  readonly offer: string | undefined;
  readonly lookedUp: LookedUp | undefined;
}

const GREETING =
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|thanks?|thank you)\b.{0,20}$/i;
const QUESTION = /^(?:who|what|when|where|why|how|which|is|are|do|does|did|should|would|will)\b/i;
const COURTESY =
  /^(?:please|kindly|(?:can|could|would|will) you(?: please)?|i(?:'d| would) like you to|i (?:want|need) you to|help me(?: to)?|let'?s)\s+/i;
const WORK =
  /^(?:add|analy[sz]e|assess|build|compare|compile|create|design|develop|document|draft|evaluate|fix|implement|improve|investigate|launch|make|outline|plan|prepare|prototype|research|review|rewrite|ship|sketch|summari[sz]e|test|translate|write)\b/i;
/** What a title can do without: "write a launch plan" is about a launch plan. */
const MAKING =
  /^(?:write|draft|create|make|prepare|outline|sketch|compile)\s+(?:(?:me|us)\s+)?(?:(?:an?|the|some)\s+)?/i;
const MAKING_OF_ANY_KIND =
  /^(?:write|draft|create|make|prepare|outline|sketch|compile|build|design|plan)\s+(?:(?:me|us)\s+)?(?:(?:an?|the|some)\s+)?/i;
/** What someone wants is at the beginning; the patterns here need not see more. */
const MAX_CHARS_READ = 2_000;
const MAX_TOPIC_CHARS = 80;
const MAX_NAME_CHARS = 48;

const SIDES = [
  "what we know already, and how well",
  "what we would have to find out, and what that costs",
  "what changes if the answer turns out to be the other one",
];

export function readRequest(words: string): ImprovisedRequest {
  const plain = words.slice(0, MAX_CHARS_READ).replaceAll(/\s+/g, " ").trim();
  if (plain === "" || GREETING.test(plain)) return { kind: "greeting" };
  const request = plain.replace(COURTESY, "");
  const [sentence = request] = /^.*?[.!?](?=\s|$)/.exec(request) ?? [];
  const topic = shorten(sentence.replace(/[\s.!?:,;]+$/, ""), MAX_TOPIC_CHARS);
  if (WORK.test(request)) return { kind: "work", topic };
  const isQuestion = QUESTION.test(request) || plain.endsWith("?");
  return { kind: isQuestion ? "question" : "remark", topic };
}

export function thoughtOf(request: ImprovisedRequest, dice: Dice): string {
  switch (request.kind) {
    case "greeting":
      return "Someone is at the desk. A short welcome will do.";
    case "question":
      return `They ask: ${request.topic}. ${dice.pick(["I will weigh what decides it.", "First what it depends on, then a view."])}`;
    case "remark":
      return `They tell me: ${request.topic}. I will say what I take from it.`;
    case "work":
      return `The job: ${request.topic}. ${dice.pick(["A short plan first, then a draft to react to.", "Break it into steps, draft, and ask for the one thing I miss."])}`;
  }
}

export function answerTo(
  request: ImprovisedRequest,
  turn: Turn,
  dice: Dice,
  { standing, offer, lookedUp }: AnswerFacts,
): string {
  return [
    label(turn),
    ...(standing === undefined ? body(request, turn, dice) : [standing]),
    ...(offer === undefined ? [] : [offer]),
    ...(lookedUp ? [reportOf(lookedUp)] : []),
  ].join("\n\n");
}

/** The first answer of a conversation explains; later ones only remind. */
function label({ history, agent }: Turn): string {
  return history.some(({ role }) => role === "assistant")
    ? "(Rehearsal.)"
    : `(Rehearsal: no model is connected to ${agent.name} yet, so this answer is improvised from your own words.)`;
}

function body(request: ImprovisedRequest, turn: Turn, dice: Dice): readonly string[] {
  const { name, role } = turn.agent;
  switch (request.kind) {
    case "greeting":
      return [
        `Hello, I am ${name}, ${role} here.`,
        dice.pick([
          "Tell me what you would like to have done, and I will plan it with you.",
          "What shall we work on? A sentence is enough to start.",
        ]),
      ];
    case "question":
      return [
        `You ask: ${request.topic}.`,
        `${dice.pick(["Three things decide it:", "I would look at it from three sides:"])}\n${numbered(SIDES)}`,
        dice.pick([
          "If you tell me which of these weighs most, I can be more definite.",
          "My inclination is to start with the first; the others follow from it.",
        ]),
      ];
    case "remark":
      return [
        `Understood: ${request.topic}.`,
        dice.pick([
          "I will keep it in mind for what comes next. Is there something you would like me to do with it?",
          "That helps. Tell me when it should become a task.",
        ]),
      ];
    case "work":
      return [
        `Here is how I would take this on: ${request.topic}.`,
        numbered(stepsOf(role)),
        `${dice.pick(["A first draft is in", "I have put a draft to react to in"])} ${artifactName(request.topic)}. ${dice.pick(["What is missing?", "Tell me what to change."])}`,
      ];
  }
}

export function artifactFor(
  topic: string,
  turn: Turn,
  dice: Dice,
): { readonly name: string; readonly text: string } {
  const text = [
    `# ${capitalized(topic.replace(MAKING, ""))}`,
    `> A rehearsal draft by ${turn.agent.name} (${turn.agent.role}). No model was used; it shows the form, not the facts.`,
    `## What was asked\n\n${quoted(turn.prompt)}`,
    `## Plan\n\n${numbered(stepsOf(turn.agent.role))}`,
    `## Done when\n\n${dice.pick([
      "- someone who was not here can use it without asking\n- the open points below are settled",
      "- the person who asked says so\n- nothing in it needs to be explained twice",
    ])}`,
    "## Open points\n\n- Who is it for?\n- By when, and how will we know that it worked?",
  ];
  return { name: artifactName(topic), text: `${text.join("\n\n")}\n` };
}

/** What is to be made, without the making. */
export function subjectOf(topic: string): string {
  return topic.replace(MAKING_OF_ANY_KIND, "");
}

/** What a program for this request is about, and what it is called. */
export function programSubject(topic: string, role: string): ProgramSubject {
  const subject = subjectOf(topic);
  return {
    name: artifactName(subject).replace(/\.md$/, ""),
    title: capitalized(subject),
    points: stepsOf(role),
  };
}

function artifactName(topic: string): string {
  const slug = topic
    .replace(MAKING, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, MAX_NAME_CHARS + 1);
  // Not in the middle of a word.
  const name = slug.length > MAX_NAME_CHARS ? slug.slice(0, slug.lastIndexOf("-")) : slug;
  return `${name === "" ? "draft" : name}.md`;
}

function stepsOf(role: string): readonly string[] {
  if (/research|analy/i.test(role)) {
    return [
      "what is known, and from where",
      "what the sources disagree about",
      "what it means for the decision at hand",
    ];
  }
  if (/engineer|develop/i.test(role)) {
    return [
      "the smallest version that works from end to end",
      "the tests that would fail without it",
      "what happens when a part of it breaks",
    ];
  }
  if (/design/i.test(role)) {
    return ["who looks at it, and when", "the one thing to see first", "two variants to compare"];
  }
  if (/writ|edit/i.test(role)) {
    return [
      "who reads it, and what they want to know",
      "the point, in one sentence",
      "a draft, then half of it",
    ];
  }
  return [
    "what success looks like, in one sentence",
    "who does which part",
    "what needs a decision from you",
  ];
}

function reportOf({ tool, text, isError }: LookedUp): string {
  const [first = ""] = text.trim().split("\n");
  return isError ? `(I tried ${tool}; it failed: ${first})` : `(From ${tool}: ${first})`;
}

function numbered(items: readonly string[]): string {
  return items.map((item, at) => `${at + 1}. ${item}`).join("\n");
}

function quoted(text: string): string {
  return text.trim().replaceAll(/^/gm, "> ");
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > 0 ? space : maxChars)}…`;
}
