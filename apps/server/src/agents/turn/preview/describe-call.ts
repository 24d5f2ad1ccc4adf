/**
 * What an agent does with a tool, in a few words for people: "Running npm test", "Reading src/page.ts". Of what goes in,
 * only the part that says what is worked on is told, never content. Tools have many names for few things; one that is
 * not known is told by its name.
 */
import { previewText } from "./preview-text.ts";

export interface DescribedCall {
  readonly text: string;
  /** Where the agent keeps a list of what there is to do: how much of it is done. */
  readonly percent?: number;
}

type Input = ReadonlyMap<string, unknown>;

interface Verb {
  readonly tools: RegExp;
  /** Before what it is done to. */
  readonly doing: string;
  /** The members that may say what it is done to, the best first. */
  readonly members: readonly string[];
  readonly otherwise: string;
}

const PATHS = ["file_path", "path", "filename", "file", "notebook_path", "abs_path"];
const PATTERNS = ["pattern", "query", "q", "regex", "search"];

const VERBS: readonly Verb[] = [
  {
    tools: /^(?:bash|shell|sh|exec|execute|run|run_command|run_terminal_cmd|terminal|system_run)$/,
    doing: "Running",
    members: ["command", "cmd", "script", "argv"],
    otherwise: "Running a command",
  },
  {
    tools: /^(?:read|read_file|read_text_file|view|cat|notebookread|open)$/,
    doing: "Reading",
    members: PATHS,
    otherwise: "Reading a file",
  },
  {
    tools: /^(?:write|write_file|write_text_file|create|create_file)$/,
    doing: "Writing",
    members: PATHS,
    otherwise: "Writing a file",
  },
  {
    tools: /^(?:edit|multiedit|edit_file|str_replace|apply_patch|notebookedit|patch)$/,
    doing: "Editing",
    members: PATHS,
    otherwise: "Editing files",
  },
  {
    tools:
      /^(?:grep|rg|search|search_files|codebase_search|websearch|web_search|lookup|toolsearch)$/,
    doing: "Searching for",
    members: PATTERNS,
    otherwise: "Searching",
  },
  {
    tools: /^(?:glob|find|ls|list|list_dir|list_files|list_directory)$/,
    doing: "Looking for",
    members: [...PATTERNS, ...PATHS],
    otherwise: "Looking for files",
  },
  {
    tools: /^(?:webfetch|web_fetch|fetch|http|http_request|browse)$/,
    doing: "Fetching",
    members: ["url", "uri", "href"],
    otherwise: "Fetching a page",
  },
  {
    tools: /^(?:task|agent|spawn|delegate)$/,
    doing: "Handing over:",
    members: ["description", "title"],
    otherwise: "Handing work over",
  },
  {
    tools: /^deliver_artifact$/,
    doing: "Handing in",
    members: ["name", "title"],
    otherwise: "Handing in what was made",
  },
];

/** They tell people something themselves. */
const TELLING: ReadonlySet<string> = new Set(["progress", "ask", "reply", "askuserquestion"]);
const TO_DO: ReadonlySet<string> = new Set(["todowrite", "todo_write", "update_plan"]);

/** Undefined: nothing to tell beside what the tool tells. */
export function describeCall(name: string, input: unknown): DescribedCall | undefined {
  const tool = name.replace(/^mcp__.*?__/, "");
  const known = tool.trim().toLowerCase();
  if (TELLING.has(known)) return undefined;
  const given = membersOf(input);
  if (TO_DO.has(known)) return describeList(given.get("todos") ?? given.get("plan"));
  const verb = VERBS.find(({ tools }) => tools.test(known));
  if (verb !== undefined) {
    const what = verb.members
      .map((member) => textIn(given.get(member)))
      .find((text) => text !== "");
    return { text: previewText(what === undefined ? verb.otherwise : `${verb.doing} ${what}`) };
  }
  // Some agents have no names for their tools but say what they do with them.
  return { text: previewText(/\s/.test(tool.trim()) ? tool : `Using ${tool}`) };
}

/** A list of things to do: the one that is being done, and the share of those that are. */
export function describeList(list: unknown): DescribedCall | undefined {
  const items = Array.isArray(list) ? list.map(membersOf) : [];
  const current = items.find((item) => isIn(item, "in_progress"));
  const named = ["activeForm", "content", "step", "title"].map((name) =>
    textIn(current?.get(name)),
  );
  const text = named.find((words) => words !== "");
  if (text === undefined) return undefined;
  const done = items.filter((item) => isIn(item, "completed")).length;
  return { text: previewText(text), percent: Math.round((100 * done) / items.length) };
}

function isIn(item: Input, status: string): boolean {
  return item.get("status") === status;
}

function membersOf(input: unknown): Input {
  return new Map(typeof input === "object" && input !== null ? Object.entries(input) : []);
}

/** A command may come as its words. */
function textIn(value: unknown): string {
  if (Array.isArray(value)) {
    return value
      .filter((word) => typeof word === "string")
      .join(" ")
      .trim();
  }
  return typeof value === "string" ? value.trim() : "";
}
