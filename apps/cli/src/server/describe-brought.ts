/** What a member of the crew brings along, and what of the repositories' its runtime cannot be given. Pure. */
import { own } from "@atrium/wire";
import { isRecord } from "./settings.ts";

type Fields = Readonly<Record<string, unknown>>;

const KINDS = [
  ["mcpServers", "MCP servers"],
  ["skills", "skills"],
] as const;

/** Both as `config.get` shows them. */
export function describeBrought(member: Fields, repositories: unknown): string {
  const rows = isRecord(repositories) ? Object.values(repositories).filter(isRecord) : [];
  const lacks = namesIn(member, "cannotTake");
  return KINDS.flatMap(([kind, words]) => {
    const named = namesIn(member, kind);
    if (named.length > 0) return [`${words}: ${named.map(lastPart).join(", ")}`];
    const isOffered = rows.some((repository) => namesIn(repository, kind).length > 0);
    return isOffered && lacks.includes(kind) ? [`takes no ${words}`] : [];
  }).join("; ");
}

function namesIn(fields: Fields, key: string): readonly string[] {
  const value = own(fields, key);
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function lastPart(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? path;
}
