/** The tools that joined sessions are offered: what each takes, and what becomes of a call. */
import { describeRefusal, refuse, type Outcome } from "@atrium/core";
import { Compile, Type, type Static, type TSchema } from "@atrium/schema";
import { cleanText } from "../../platform/clean-text.ts";
import type { CallerClaim, FindCaller } from "./session-caller.ts";
import type { TaskDesk } from "./task-desk.ts";

export interface SessionToolsDeps {
  readonly desk: TaskDesk;
  readonly findCaller: FindCaller;
  /** Without what the server keeps secret. */
  readonly mask: (text: string) => string;
}

export interface SessionToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

export interface SessionTools {
  readonly declarations: readonly SessionToolDeclaration[];
  call(claim: CallerClaim, name: string, input: unknown): Promise<SessionToolAnswer>;
}

interface SessionToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: TSchema;
}

interface SessionTool extends SessionToolDeclaration {
  readonly call: (desk: TaskDesk, id: string, input: unknown) => Promise<Outcome<string>>;
}

const MAX_TEXT_CHARS = 20_000;
const MAX_LINE_CHARS = 500;
const Text = Type.String({ minLength: 1, maxLength: MAX_TEXT_CHARS });
const Line = Type.String({ minLength: 1, maxLength: MAX_LINE_CHARS });

const TOOLS: readonly SessionTool[] = [
  tool("list_tasks", "Lists the open tasks of Atrium's projects.", Type.Object({}), (desk, id) =>
    desk.list(id),
  ),
  tool(
    "take_task",
    "Takes an open task of a project in Atrium. Answers with the folder to work in and what to do. Use it only when the user asks for it.",
    Type.Object({ task_id: Line }),
    (desk, id, input) => desk.take(id, input.task_id),
  ),
  tool(
    "my_task",
    "The task that this session has in Atrium: its folder, what to do, what was said of it.",
    Type.Object({}),
    (desk, id) => desk.read(id),
  ),
  tool(
    "report_progress",
    "Tells people in Atrium how far the task of this session is.",
    Type.Object({
      text: Line,
      percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
    }),
    (desk, id, input) => desk.report(id, input.text, input.percent),
  ),
  tool(
    "hand_over_task",
    "Hands over what is in the task's folder as a change to be checked and reviewed.",
    Type.Object({ summary: Text }),
    (desk, id, input) => desk.handOver(id, input.summary),
  ),
  tool(
    "release_task",
    "Gives the task of this session back, so that others can take it.",
    Type.Object({ reason: Line }),
    (desk, id, input) => desk.release(id, input.reason),
  ),
];

export function createSessionTools({ desk, findCaller, mask }: SessionToolsDeps): SessionTools {
  const byName = new Map(TOOLS.map((each) => [each.name, each]));
  const call = async (
    claim: CallerClaim,
    name: string,
    input: unknown,
  ): Promise<Outcome<string>> => {
    const found = byName.get(name);
    if (found === undefined) return refuse("params.invalid", `there is no tool ${name}`);
    const caller = findCaller(claim);
    return caller.ok ? found.call(desk, caller.value, cleaned(input, mask)) : caller;
  };
  return {
    declarations: TOOLS.map(({ name, description, inputSchema }) => {
      return { name, description, inputSchema };
    }),
    async call(claim, name, input) {
      const done = await call(claim, name, input);
      return done.ok
        ? { text: done.value, isError: false }
        : { text: describeRefusal(done), isError: true };
    },
  };
}

function tool<Schema extends TSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  run: (
    desk: TaskDesk,
    id: string,
    input: Static<Schema>,
  ) => Outcome<string> | Promise<Outcome<string>>,
): SessionTool {
  const check = Compile(inputSchema);
  return {
    name,
    description,
    inputSchema,
    async call(desk, id, input) {
      if (check.Check(input)) return run(desk, id, input);
      const [issue] = check.Errors(input);
      return refuse(
        "params.invalid",
        `${issue?.instancePath ?? ""} ${issue?.message ?? ""}`.trim(),
      );
    },
  };
}

/** Words of a session are shown to people and kept. */
function cleaned(input: unknown, mask: SessionToolsDeps["mask"]): unknown {
  if (typeof input !== "object" || input === null) return {};
  return Object.fromEntries(
    Object.entries(input).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === "string" ? mask(cleanText(value)) : value,
    ]),
  );
}
