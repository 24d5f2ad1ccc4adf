/** What an MCP tool gave back, as text: a model is shown words, and told of what it cannot be shown. */
import { fieldsOf, listOf, textIn, type Fields } from "../turn/json-fields.ts";

export function describeContent(result: Fields): string {
  const parts = listOf(result["content"]).map(describePart);
  if (parts.length > 0) return parts.join("\n");
  const { structuredContent } = result;
  return structuredContent === undefined ? "" : JSON.stringify(structuredContent);
}

function describePart(part: Fields): string {
  switch (part["type"]) {
    case "text":
      return textIn(part, "text") ?? "";
    case "image":
    case "audio":
      return `(${part["type"]}, ${textIn(part, "mimeType") ?? "of an unknown type"}: not shown)`;
    case "resource": {
      const resource = fieldsOf(part["resource"]);
      return textIn(resource, "text") ?? `(${textIn(resource, "uri") ?? "a resource"}: not shown)`;
    }
    case "resource_link":
      return textIn(part, "uri") ?? "";
    default:
      return JSON.stringify(part);
  }
}
