/** Codex: a rollout of items and events. Pure. */
import { fieldsOf, parseFields, textIn, type Fields } from "../../../agents/turn/json-fields.ts";
import type { ReportedTool } from "../../hook-report.ts";
import { rests, works, type SessionNews } from "./session-news.ts";

/** As Atrium introduces itself to the app-server whose threads these are. */
const ATRIUM = "atrium";

export function foldCodexLine(news: SessionNews, line: Fields): SessionNews {
  const payload = fieldsOf(line["payload"]);
  switch (textIn(line, "type") ?? "") {
    case "session_meta":
      return {
        ...news,
        sessionId: textIn(payload, "id") ?? news.sessionId,
        folder: textIn(payload, "cwd") ?? news.folder,
        branch: textIn(fieldsOf(payload["git"]), "branch") ?? news.branch,
        // The source of a sub-agent is an object that says whose it is.
        isOther: textIn(payload, "originator") === ATRIUM || typeof payload["source"] === "object",
      };
    case "turn_context":
      return {
        ...news,
        folder: textIn(payload, "cwd") ?? news.folder,
        model: textIn(payload, "model") ?? news.model,
      };
    case "event_msg":
      return foldEvent(news, textIn(payload, "type"));
    case "response_item":
      return foldItem(news, payload);
    default:
      return news;
  }
}

function foldEvent(news: SessionNews, type: string | undefined): SessionNews {
  if (type === "task_started") return works(news);
  return type === "task_complete" || type === "turn_aborted" ? rests(news) : news;
}

function foldItem(news: SessionNews, item: Fields): SessionNews {
  const tool = toolIn(item);
  if (tool !== undefined) return works(news, tool);
  return textIn(item, "type")?.endsWith("_call_output") === true ? { ...news, tool: null } : news;
}

function toolIn(item: Fields): ReportedTool | undefined {
  const name = textIn(item, "name") ?? "";
  switch (textIn(item, "type") ?? "") {
    case "function_call":
      return { name, input: parseFields(textIn(item, "arguments") ?? "") };
    case "custom_tool_call":
      return { name, input: textIn(item, "input") };
    case "local_shell_call":
      return { name: "shell", input: item["action"] };
    default:
      return undefined;
  }
}
