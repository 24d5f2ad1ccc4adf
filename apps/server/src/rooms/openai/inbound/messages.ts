/**
 * Splits the messages of a request: the last one is the user's new message, system and developer messages
 * are instructions, and the others are the history as the client remembers it.
 */
import type { PastMessage } from "@atrium/core";
import type { ContentPart, RequestMessage } from "@atrium/wire/openai";
import type { IncomingFile } from "../../../runs/message-intake.ts";
import {
  fail,
  ok,
  invalid,
  unsupported,
  type OpenaiError,
  type Result,
} from "../outbound/problem.ts";
import { readDataUrl } from "./data-url.ts";

/** One message with its files. */
export interface ThreadMessage {
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

export interface Thread {
  readonly instructions: string | null;
  readonly earlier: readonly (PastMessage & ThreadMessage)[];
  readonly last: ThreadMessage;
}

const TOOLS_OF_OTHERS =
  "Agents here use the server's own tools; a request cannot carry calls of the client's.";

export function readThread(messages: readonly RequestMessage[]): Result<Thread> {
  const instructions: string[] = [];
  const turns: (PastMessage & ThreadMessage)[] = [];
  let files = 0;
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    const { role } = message;
    const content = readMessage(message, param, files);
    if (!content.ok) return content;
    files += content.value.files.length;
    if (role === "user" || role === "assistant") turns.push({ role, ...content.value });
    else if (role !== "system" && role !== "developer") return fail(roleProblem(role, param));
    else if (content.value.files.length > 0) {
      return fail(invalid(param, "Instructions are text; send files as the user."));
    } else if (content.value.text.trim() !== "") instructions.push(content.value.text);
  }
  const last = turns.at(-1);
  if (last?.role !== "user") {
    return fail(
      invalid("messages", "The last message must be the user's: it is what is answered."),
    );
  }
  if (last.text.trim() === "" && last.files.length === 0) {
    return fail(invalid(`messages[${messages.length - 1}]`, "There is nothing to answer in it."));
  }
  return ok({
    instructions: instructions.length === 0 ? null : instructions.join("\n\n"),
    earlier: turns.slice(0, -1),
    last: { text: last.text, files: last.files },
  });
}

function roleProblem(role: string, param: string): OpenaiError {
  if (role === "tool" || role === "function") return unsupported(param, TOOLS_OF_OTHERS);
  const roles = "system, developer, user or assistant";
  return invalid(`${param}.role`, `The role must be ${roles}; this is \`${role}\`.`);
}

function readMessage(
  message: RequestMessage,
  param: string,
  filesBefore: number,
): Result<ThreadMessage> {
  const { content, refusal, tool_calls: calls, function_call: call } = message;
  if ((calls ?? []).length > 0 || (call !== undefined && call !== null)) {
    return fail(unsupported(param, TOOLS_OF_OTHERS));
  }
  if (typeof content === "string") return ok({ text: content, files: [] });
  if (content === null || content === undefined) return ok({ text: refusal ?? "", files: [] });
  const texts: string[] = [];
  const files: IncomingFile[] = [];
  for (const [index, part] of content.entries()) {
    const read = readPart(part, `${param}.content[${index}]`, filesBefore + files.length + 1);
    if (!read.ok) return read;
    if (typeof read.value === "string") texts.push(read.value);
    else files.push(read.value);
  }
  return ok({ text: texts.join("\n"), files });
}

function readPart(part: ContentPart, param: string, number: number): Result<string | IncomingFile> {
  switch (part.type) {
    case "text":
      if (part.text === undefined) return fail(invalid(param, "A text part needs `text`."));
      return ok(part.text);
    case "refusal":
      return ok(part.refusal ?? "");
    case "image_url": {
      const { image_url: image } = part;
      if (image === undefined) return fail(invalid(param, "An image part needs `image_url.url`."));
      return readDataUrl(image.url, `${param}.image_url.url`, (type) =>
        nameFor("image", number, type),
      );
    }
    case "file": {
      const { file_data: data, filename } = part.file ?? {};
      if (data === undefined) {
        return fail(
          unsupported(param, "Files are taken inside the request only: send `file.file_data`."),
        );
      }
      return readDataUrl(data, `${param}.file.file_data`, (type) => {
        return filename === undefined || filename === "" ? nameFor("file", number, type) : filename;
      });
    }
    default:
      return fail(unsupported(param, `Content of type \`${part.type}\` is not taken here.`));
  }
}

function nameFor(kind: string, number: number, mediaType: string): string {
  const [, subtype = "bin"] = /\/([a-z0-9]+)/.exec(mediaType) ?? [];
  return `${kind}-${number}.${subtype}`;
}
