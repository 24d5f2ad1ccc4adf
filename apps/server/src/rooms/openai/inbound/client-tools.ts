/**
 * The tools of a request: the agent is offered them beside its own, and the client makes the calls.
 *
 *   tool_choice   auto (or none given)   the agent chooses
 *                 none                   they are not offered
 *                 required, or a name    one of them, or that one, must be called
 */
import type { ChatCompletionRequest, RequestTool, ToolChoice } from "@atrium/wire/openai";
import type { ClientToolset } from "../../../runs/client-calls/kept-calls.ts";
import { fail, invalid, ok, unsupported, type Result } from "../outbound/problem.ts";

type ClientTool = ClientToolset["tools"][number];
type Choice = "auto" | "none" | "required" | { readonly name: string };

/** As many as OpenAI takes. */
const MAX_TOOLS = 128;
const MAX_TOOLS_BYTES = 1_048_576;
const NAME = /^[\w-]{1,64}$/;
const NO_INPUT = { type: "object", properties: {} };

/** Undefined: none are offered. */
export function readClientTools(
  request: Pick<ChatCompletionRequest, "tools" | "tool_choice" | "parallel_tool_calls">,
): Result<ClientToolset | undefined> {
  const { tools: sent = [], tool_choice: chosen, parallel_tool_calls: isParallel } = request;
  const tools = readTools(sent);
  if (!tools.ok) return tools;
  const choice = readChoice(chosen, tools.value);
  if (!choice.ok) return choice;
  const { value } = choice;
  if (tools.value.length === 0 || value === "none") return ok(undefined);
  const names = tools.value.map(({ name }) => name);
  const mustCall = value === "auto" ? [] : value === "required" ? names : [value.name];
  return ok({ tools: [...tools.value], mustCall, isSerial: isParallel === false });
}

function readTools(sent: readonly RequestTool[]): Result<readonly ClientTool[]> {
  if (sent.length > MAX_TOOLS) {
    return fail(
      invalid("tools", `A request may have ${MAX_TOOLS} tools; this has ${sent.length}.`),
    );
  }
  const tools = new Map<string, ClientTool>();
  for (const [index, tool] of sent.entries()) {
    const param = `tools[${index}]`;
    const read = readTool(tool, param);
    if (!read.ok) return read;
    const { name } = read.value;
    if (tools.has(name)) {
      return fail(invalid(`${param}.function.name`, `There are two tools \`${name}\`.`));
    }
    tools.set(name, read.value);
  }
  const bytes = Buffer.byteLength(JSON.stringify([...tools.values()]));
  if (bytes > MAX_TOOLS_BYTES) {
    const message = `The tools may have ${MAX_TOOLS_BYTES} bytes together; they have ${bytes}.`;
    return fail(invalid("tools", message));
  }
  return ok([...tools.values()]);
}

function readTool({ type, function: declared }: RequestTool, param: string): Result<ClientTool> {
  if (type !== "function") {
    return fail(unsupported(`${param}.type`, `A tool must be a function; this is \`${type}\`.`));
  }
  if (declared === undefined) return fail(invalid(`${param}.function`, "It is missing."));
  const { name, description, parameters } = declared;
  if (!NAME.test(name)) {
    const rule = "A name has 1 to 64 letters, digits, `_` or `-`.";
    return fail(invalid(`${param}.function.name`, rule));
  }
  const input = parameters ?? NO_INPUT;
  if ((input["type"] ?? "object") !== "object") {
    const message = "It must be the JSON Schema of an object.";
    return fail(invalid(`${param}.function.parameters`, message));
  }
  return ok({ name, description: description ?? "", input: { type: "object", ...input } });
}

function readChoice(choice: ToolChoice | undefined, tools: readonly ClientTool[]): Result<Choice> {
  if (choice === undefined || choice === "auto" || choice === "none") return ok(choice ?? "auto");
  if (tools.length === 0) {
    return fail(invalid("tool_choice", "There are no `tools` to choose from."));
  }
  if (choice === "required") return ok(choice);
  const name = typeof choice === "string" ? undefined : choice.function?.name;
  if (name === undefined) {
    const choices = "`auto`, `none`, `required` or a function of `tools`";
    return fail(unsupported("tool_choice", `It must be ${choices}.`));
  }
  if (!tools.some((tool) => tool.name === name)) {
    return fail(invalid("tool_choice", `There is no tool \`${name}\` in \`tools\`.`));
  }
  return ok({ name });
}
