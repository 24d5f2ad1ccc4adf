/** Qwen Code: a line per message, with parts as Gemini has them. Pure. */
import { fieldsOf, listOf, textIn, type Fields } from "../../../agents/turn/json-fields.ts";
import { rests, works, type SessionNews } from "./session-news.ts";

export function foldQwenLine(news: SessionNews, line: Fields): SessionNews {
  const placed = {
    ...news,
    sessionId: textIn(line, "sessionId") ?? news.sessionId,
    folder: textIn(line, "cwd") ?? news.folder,
    branch: textIn(line, "gitBranch") ?? news.branch,
    model: textIn(line, "model") ?? news.model,
  };
  switch (textIn(line, "type") ?? "") {
    case "user":
    case "tool_result":
      return works(placed);
    case "assistant":
      return foldAnswer(placed, listOf(fieldsOf(line["message"])["parts"]));
    default:
      return placed;
  }
}

/** An answer that calls nothing ends the turn. */
function foldAnswer(news: SessionNews, parts: readonly Fields[]): SessionNews {
  const call = parts.findLast((part) => "functionCall" in part)?.["functionCall"];
  if (call === undefined) return rests(news);
  const { name, args } = fieldsOf(call);
  return works(news, { name: typeof name === "string" ? name : "", input: args });
}
