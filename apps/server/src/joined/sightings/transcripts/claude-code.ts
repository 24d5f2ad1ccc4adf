/** Claude Code: a line per message, in the shape of the API that it speaks. Pure. */
import { fieldsOf, listOf, textIn, type Fields } from "../../../agents/turn/json-fields.ts";
import { rests, works, type SessionNews } from "./session-news.ts";

/** What it writes instead of a branch, where there is none. */
const DETACHED = "HEAD";
/** Not of a model, but of the program itself. */
const SYNTHETIC = "<synthetic>";

export function foldClaudeLine(news: SessionNews, line: Fields): SessionNews {
  if (line["isSidechain"] === true) return news;
  const branch = textIn(line, "gitBranch");
  const placed = {
    ...news,
    sessionId: textIn(line, "sessionId") ?? news.sessionId,
    folder: textIn(line, "cwd") ?? news.folder,
    branch: branch === undefined ? news.branch : branch === DETACHED ? null : branch,
  };
  const message = fieldsOf(line["message"]);
  switch (textIn(line, "type") ?? "") {
    case "user":
      return line["isMeta"] === true ? placed : foldPrompt(placed, message);
    case "assistant":
      return foldAnswer(placed, message);
    case "system":
      return textIn(line, "subtype") === "turn_duration" ? rests(placed) : placed;
    default:
      return placed;
  }
}

function foldPrompt(news: SessionNews, { content }: Fields): SessionNews {
  const texts = typeof content === "string" ? [content] : listOf(content).map(textOf);
  return texts.some((text) => text.startsWith("[Request interrupted")) ? rests(news) : works(news);
}

function foldAnswer(news: SessionNews, message: Fields): SessionNews {
  const model = textIn(message, "model");
  const withModel = model === undefined || model === SYNTHETIC ? news : { ...news, model };
  const use = listOf(message["content"]).findLast((part) => textIn(part, "type") === "tool_use");
  if (use !== undefined) {
    return works(withModel, { name: textIn(use, "name") ?? "", input: use["input"] });
  }
  return textIn(message, "stop_reason") === "end_turn"
    ? rests(withModel)
    : works(withModel, withModel.tool);
}

function textOf(part: Fields): string {
  return textIn(part, "text") ?? "";
}
