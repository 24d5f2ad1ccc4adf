/** Copilot CLI: a line per event. Pure. */
import { fieldsOf, textIn, type Fields } from "../../../agents/turn/json-fields.ts";
import { rests, works, type SessionNews } from "./session-news.ts";

export function foldCopilotLine(news: SessionNews, line: Fields): SessionNews {
  const data = fieldsOf(line["data"]);
  switch (textIn(line, "type") ?? "") {
    case "session.start":
    case "session.resume": {
      const context = fieldsOf(data["context"]);
      return {
        ...news,
        sessionId: textIn(data, "sessionId") ?? news.sessionId,
        model: textIn(data, "selectedModel") ?? news.model,
        folder: textIn(context, "cwd") ?? news.folder,
        branch: textIn(context, "branch") ?? news.branch,
        isOver: false,
      };
    }
    case "session.model_change":
      return { ...news, model: textIn(data, "newModel") ?? news.model };
    case "user.message":
    case "assistant.turn_start":
    case "tool.execution_complete":
      return works(news);
    case "tool.execution_start":
      return works(news, { name: textIn(data, "toolName") ?? "", input: data["arguments"] });
    case "assistant.turn_end":
    case "abort":
      return rests(news);
    case "session.shutdown":
      return { ...rests(news), isOver: true };
    default:
      return news;
  }
}
