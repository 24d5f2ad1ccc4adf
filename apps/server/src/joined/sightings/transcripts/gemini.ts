/** Gemini CLI: a header, messages that may come again with more in them, and patches of the whole. Pure. */
import { fieldsOf, listOf, textIn, type Fields } from "../../../agents/turn/json-fields.ts";
import { rests, works, type SessionNews } from "./session-news.ts";

export function foldGeminiLine(news: SessionNews, line: Fields): SessionNews {
  const sessionId = textIn(line, "sessionId");
  if (sessionId !== undefined) {
    const kind = textIn(line, "kind");
    return { ...news, sessionId, isOther: kind !== undefined && kind !== "main" };
  }
  const patched = listOf(fieldsOf(line["$set"])["messages"]).at(-1);
  return foldMessage(news, patched ?? line, patched !== undefined);
}

function foldMessage(news: SessionNews, message: Fields, isPatch: boolean): SessionNews {
  switch (textIn(message, "type") ?? "") {
    case "user":
      // With the patch that begins a session comes what it is told of itself; nobody has asked for anything yet.
      return isPatch ? news : works(news);
    case "gemini": {
      const withModel = { ...news, model: textIn(message, "model") ?? news.model };
      const call = listOf(message["toolCalls"]).at(-1);
      if (call !== undefined) {
        return works(withModel, { name: textIn(call, "name") ?? "", input: call["args"] });
      }
      // Before its calls are known, an answer that calls something is empty.
      return textIn(message, "content") === "" ? works(withModel) : rests(withModel);
    }
    case "info":
    case "error":
      return rests(news);
    default:
      return news;
  }
}
