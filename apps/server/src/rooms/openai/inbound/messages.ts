/**
 * Splits the messages of a request: those after the last answer are what is answered (the user's words, and what calls
 * of the client's tools returned), system and developer messages are instructions, and the others are the history as the
 * client remembers it.
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
import { createOpenCalls, describeResult, type OpenCalls, type ToldResult } from "./told-calls.ts";

/** One message with its files. */
export interface ThreadMessage {
  readonly text: string;
  readonly files: readonly IncomingFile[];
}

export interface Thread {
  readonly instructions: string | null;
  readonly earlier: readonly (PastMessage & ThreadMessage)[];
  /** With the results that no answer has followed yet, in words. */
  readonly last: ThreadMessage;
  /** Those results, with the words that came with them: whoever waits for them can go on. */
  readonly results: readonly ToldResult[];
}

export const OLD_FUNCTIONS =
  "Functions are taken as `tools`; send `tools`, `tool_calls` and `role: tool`.";
const NOTHING_TO_ANSWER =
  "The last message must be the user's, or the result of a tool: it is what is answered.";

export function readThread(messages: readonly RequestMessage[]): Result<Thread> {
  const instructions: string[] = [];
  const turns: (PastMessage & ThreadMessage)[] = [];
  const calls = createOpenCalls();
  let results: ToldResult[] = [];
  let files = 0;
  for (const [index, message] of messages.entries()) {
    const param = `messages[${index}]`;
    const { role } = message;
    const content = readMessage(message, param, files);
    if (!content.ok) return content;
    files += content.value.files.length;
    if (role === "tool") {
      if (content.value.files.length > 0) {
        return fail(invalid(param, "The result of a tool is text; send files as the user."));
      }
      const result = calls.returned(message, param, content.value.text);
      if (!result.ok) return result;
      results.push(result.value);
    } else if (role === "user" || role === "assistant") {
      const turn = readTurn({ ...message, role }, param, content.value, calls);
      if (!turn.ok) return turn;
      if (role === "assistant") {
        // What an answer has followed is history, and stands behind the calls.
        turns.splice(afterCalls(turns), 0, ...describeResults(results));
        results = [];
      }
      turns.push(turn.value);
    } else if (role !== "system" && role !== "developer") return fail(roleProblem(role, param));
    else if (content.value.files.length > 0) {
      return fail(invalid(param, "Instructions are text; send files as the user."));
    } else if (content.value.text.trim() !== "") instructions.push(content.value.text);
  }
  const settled = calls.settle();
  if (!settled.ok) return settled;
  const last = lastOf(turns, results);
  if (last === undefined) return fail(invalid("messages", NOTHING_TO_ANSWER));
  if (last.message.text.trim() === "" && last.message.files.length === 0) {
    return fail(invalid(`messages[${messages.length - 1}]`, "There is nothing to answer in it."));
  }
  return ok({
    instructions: instructions.length === 0 ? null : instructions.join("\n\n"),
    earlier: last.earlier,
    last: last.message,
    results: last.results,
  });
}

function readTurn(
  message: RequestMessage & Pick<PastMessage, "role">,
  param: string,
  { text, files }: ThreadMessage,
  calls: OpenCalls,
): Result<PastMessage & ThreadMessage> {
  const settled = calls.settle();
  if (!settled.ok) return settled;
  const { role } = message;
  if (role === "user") return ok({ role, text, files });
  const words = calls.called(message, param);
  if (!words.ok) return words;
  return ok({ role, text: [text, words.value].filter(Boolean).join("\n"), files });
}

function afterCalls(turns: readonly PastMessage[]): number {
  return turns.findLastIndex(({ role }) => role === "assistant") + 1;
}

function describeResults(results: readonly ToldResult[]): readonly (PastMessage & ThreadMessage)[] {
  if (results.length === 0) return [];
  return [{ role: "assistant", text: results.map(describeResult).join("\n\n"), files: [] }];
}

interface LastMessage {
  readonly message: ThreadMessage;
  readonly earlier: Thread["earlier"];
  readonly results: readonly ToldResult[];
}

/** All that no answer has followed yet: some clients send what belongs together in several messages. */
function lastOf(turns: Thread["earlier"], results: readonly ToldResult[]): LastMessage | undefined {
  const at = afterCalls(turns);
  const added = turns.slice(at);
  if (added.length === 0 && results.length === 0) return undefined;
  const texts = added.map(({ text }) => text).filter((text) => text.trim() !== "");
  const files = added.flatMap((message) => message.files);
  return {
    message: { text: [...results.map(describeResult), ...texts].join("\n\n"), files },
    earlier: turns.slice(0, at),
    // Whoever waits for a result can be given words with it, not files.
    results: files.length > 0 ? [] : withWords(results, texts),
  };
}

function withWords(
  results: readonly ToldResult[],
  words: readonly string[],
): readonly ToldResult[] {
  const last = results.at(-1);
  if (last === undefined || words.length === 0) return results;
  const text = [last.text, "[With it came this message:]", ...words].join("\n\n");
  return [...results.slice(0, -1), { ...last, text }];
}

function roleProblem(role: string, param: string): OpenaiError {
  if (role === "function") return unsupported(param, OLD_FUNCTIONS);
  const roles = "system, developer, user, assistant or tool";
  return invalid(`${param}.role`, `The role must be ${roles}; this is \`${role}\`.`);
}

function readMessage(
  message: RequestMessage,
  param: string,
  filesBefore: number,
): Result<ThreadMessage> {
  const { content, refusal, function_call: call } = message;
  if (call !== undefined && call !== null) return fail(unsupported(param, OLD_FUNCTIONS));
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
