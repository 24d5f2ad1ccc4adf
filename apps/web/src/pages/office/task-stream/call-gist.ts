/** What a tool is called with, in a few words on one line. Pure. */
const MAX_GIST_CHARS = 72;

/** The members of an input that say what it is about, the most telling first. */
const TELLING = ["command", "pattern", "path", "file_path", "query", "question", "name", "url"];

export function gistOf(input: string): string {
  const line = (subjectOf(input) ?? input).replaceAll(/\s+/g, " ").trim();
  const bare = /^\{ ?(.*?) ?\}$/.exec(line)?.[1] ?? line;
  return bare.length > MAX_GIST_CHARS ? `${bare.slice(0, MAX_GIST_CHARS - 1)}…` : bare;
}

function subjectOf(input: string): string | undefined {
  const read = parsed(input);
  if (typeof read !== "object" || read === null) return undefined;
  const members = new Map(Object.entries(read));
  for (const name of TELLING) {
    const value: unknown = members.get(name);
    if (typeof value === "string" && value !== "") return value;
  }
  return activeItem(members.get("items"));
}

/** Of a list of things to do: what is being done, else how many are done. */
function activeItem(items: unknown): string | undefined {
  if (!Array.isArray(items)) return undefined;
  const rows = items.filter(isItem);
  const active = rows.find(({ state }) => state === "active" || state === "in_progress");
  return active?.text ?? rows.at(-1)?.text;
}

interface Item {
  readonly text: string;
  readonly state: string;
}

function isItem(value: unknown): value is Item {
  if (typeof value !== "object" || value === null) return false;
  return "text" in value && typeof value.text === "string" && "state" in value;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
