/** What a tool of an ACP agent put out, as text: what it said, and what it changed in files. */
import type { ContentBlock, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import { describeDiff } from "./file-diff.ts";

export function outputOf({ content, rawOutput }: ToolCallUpdate): string {
  const text = (content ?? [])
    .map(contentText)
    .filter((part) => part !== "")
    .join("\n");
  if (text !== "" || rawOutput === undefined || rawOutput === null) return text;
  return typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput);
}

function contentText(content: ToolCallContent): string {
  switch (content.type) {
    case "content":
      return textOf(content.content);
    case "diff":
      return describeDiff(content);
    case "terminal":
      return "";
  }
}

export function textOf(content: ContentBlock): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "resource_link":
      return content.uri;
    case "resource":
      return "text" in content.resource ? content.resource.text : content.resource.uri;
    case "image":
    case "audio":
      return `(${content.type}, ${content.mimeType})`;
  }
}
