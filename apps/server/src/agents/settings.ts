/**
 * Settings of runtimes, as atrium.config.json has them.
 *
 * Each type of runtime has its own schema, found by its `type`: what is wrong is then said about the type
 * that was meant, not about all of them.
 */
import { Compile, Type, type Static, type TSchema } from "@atrium/schema";
import { describeIssues } from "../platform/issues.ts";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 1 });

export const REHEARSAL = "rehearsal";

const RehearsalRuntime = Type.Object(
  {
    type: Type.Literal("rehearsal"),
    pace: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: "What waiting is multiplied by; 0 answers at once.",
      }),
    ),
    seed: Type.Optional(Type.Integer({ description: "Which of its phrasings it chooses." })),
  },
  { ...closed, description: "No model: agents improvise and follow stage directions." },
);

const PerMillion = Type.Number({ minimum: 0 });

const Price = Type.Object(
  {
    inputPerMillion: PerMillion,
    outputPerMillion: PerMillion,
    cachedInputPerMillion: Type.Optional(
      Type.Number({ minimum: 0, description: "Left out: as other input." }),
    ),
  },
  {
    ...closed,
    description:
      "US dollars for a million tokens of this model. Left out: what it costs is unknown, unless the provider says.",
  },
);

const ModelRuntime = Type.Object(
  {
    type: Type.Literal("model"),
    provider: Type.Union([Type.Literal("openai-compatible"), Type.Literal("anthropic")]),
    baseUrl: Type.Optional(
      Type.String({
        pattern: "^https?://",
        description: "Where the API is, up to and with /v1. Needed for openai-compatible.",
      }),
    ),
    model: Type.String({ minLength: 1 }),
    apiKeyEnv: Type.Optional(
      Type.String({ minLength: 1, description: "The environment variable that holds the key." }),
    ),
    price: Type.Optional(Price),
    contextTokens: Type.Optional(Count),
    maxOutputTokens: Type.Optional(Count),
    maxSteps: Type.Optional(Count),
    maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    firstByteTimeoutMs: Type.Optional(Count),
    idleTimeoutMs: Type.Optional(Count),
  },
  { ...closed, description: "A model behind an OpenAI-compatible or Anthropic API." },
);

const ClaudeCodeRuntime = Type.Object(
  {
    type: Type.Literal("claude-code"),
    command: Type.Optional(
      Type.String({
        minLength: 1,
        description:
          "The program, by name or path; claude if left out. With transport bridge, left out: someone else starts it.",
      }),
    ),
    transport: Type.Optional(
      Type.Union(
        [
          Type.Literal("auto"),
          Type.Literal("headless"),
          Type.Literal("interactive"),
          Type.Literal("channel"),
          Type.Literal("bridge"),
        ],
        {
          description:
            "How it is spoken with. auto: interactive where Claude Code is logged in with a subscription, else headless. bridge: any program that speaks the bridge's frames.",
        },
      ),
    ),
    tokenEnv: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        description:
          "With transport bridge and no command: the environment variable that holds the secret by which a program that someone else starts comes in.",
      }),
    ),
    cwd: Type.Optional(
      Type.String({
        minLength: 1,
        description: "The folder it works in. Naming it says that it is trusted.",
      }),
    ),
    env: Type.Optional(
      Type.Array(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), {
        description:
          "Variables of the server's environment that it is given, such as ANTHROPIC_API_KEY.",
      }),
    ),
    model: Type.Optional(Type.String({ minLength: 1 })),
    permissionMode: Type.Optional(
      Type.Union(
        [
          Type.Literal("manual"),
          Type.Literal("acceptEdits"),
          Type.Literal("plan"),
          Type.Literal("dontAsk"),
          Type.Literal("auto"),
        ],
        {
          description: "In any but manual, Claude Code decides some things without asking people.",
        },
      ),
    ),
    idleStopMs: Type.Optional(Count),
    maxProcesses: Type.Optional(Count),
    extraArgs: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  },
  { ...closed, description: "Claude Code, as installed on this machine." },
);

const program = {
  command: Type.Array(Type.String(), {
    minItems: 1,
    description: "The program and its arguments.",
  }),
  cwd: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "The folder it works in. Left out, or relative: from where the server was started.",
    }),
  ),
  env: Type.Optional(
    Type.Array(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" }), {
      description:
        "Names of environment variables it is given besides PATH, HOME, LANG, TERM, TMPDIR.",
    }),
  ),
  maxOutputBytes: Type.Optional(Count),
  contextTokens: Type.Optional(Count),
};

const CommandRuntime = Type.Object(
  {
    type: Type.Literal("command"),
    ...program,
    timeoutMs: Type.Optional(Count),
  },
  { ...closed, description: "A program that is run for every turn." },
);

const AcpRuntime = Type.Object(
  {
    type: Type.Literal("acp"),
    ...program,
    startTimeoutMs: Type.Optional(Count),
    idleMs: Type.Optional(
      Type.Integer({ minimum: 1, description: "How long it is kept after a turn." }),
    ),
    maxProcesses: Type.Optional(Count),
  },
  { ...closed, description: "An agent that speaks the Agent Client Protocol on its stdio." },
);

const OpenClawRuntime = Type.Object(
  {
    type: Type.Literal("openclaw"),
    url: Type.String({ pattern: "^wss?://", description: "Where the gateway is." }),
    tokenEnv: Type.Optional(
      Type.String({ minLength: 1, description: "The environment variable that holds its token." }),
    ),
    agentId: Type.Optional(
      Type.String({ minLength: 1, description: "Which of its agents; left out: main." }),
    ),
    sessionKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "One session for all turns. Left out: one for each conversation here.",
      }),
    ),
    connectTimeoutMs: Type.Optional(Count),
    reconnectTimeoutMs: Type.Optional(Count),
    contextTokens: Type.Optional(Count),
  },
  { ...closed, description: "An agent of an OpenClaw gateway." },
);

const RUNTIME_TYPES = {
  rehearsal: RehearsalRuntime,
  model: ModelRuntime,
  "claude-code": ClaudeCodeRuntime,
  command: CommandRuntime,
  acp: AcpRuntime,
  openclaw: OpenClawRuntime,
} as const;

export type RuntimeSettings = Static<(typeof RUNTIME_TYPES)[keyof typeof RUNTIME_TYPES]>;

export const Runtimes = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" }),
  Type.Union(Object.values(RUNTIME_TYPES)),
  { ...closed, description: "What drives agents, by the name agents refer to it." },
);

/** The same in another folder; undefined for one that works in none. */
export function inFolder(settings: RuntimeSettings, cwd: string): RuntimeSettings | undefined {
  switch (settings.type) {
    case "command":
    case "acp":
    case "claude-code":
      return { ...settings, cwd };
    case "rehearsal":
    case "model":
    case "openclaw":
      return undefined;
  }
}

/**
 * What is wrong with the runtimes of a settings file, if anything. To be asked before the whole file is
 * checked: about a choice of schemas a validator can only say that none of them fits.
 */
export function checkRuntimes(file: unknown): string | undefined {
  if (!isRecord(file) || !isRecord(file["runtimes"])) return undefined;
  for (const [name, settings] of Object.entries(file["runtimes"])) {
    const problem = isRecord(settings) ? checkRuntime(settings) : undefined;
    if (problem !== undefined) return `runtime "${name}": ${problem}`;
  }
  return undefined;
}

function checkRuntime(settings: Readonly<Record<string, unknown>>): string | undefined {
  const types: [string, TSchema][] = Object.entries(RUNTIME_TYPES);
  const schema = types.find(([type]) => type === settings["type"])?.[1];
  if (schema === undefined) {
    const names = types.map(([type]) => type).join(", ");
    return `at /type: must be equal to one of the allowed values: ${names}`;
  }
  const validator = Compile(schema);
  if (!validator.Check(settings)) return describeIssues(validator.Errors(settings));
  const { provider, baseUrl } = settings;
  return provider === "openai-compatible" && baseUrl === undefined
    ? "an openai-compatible provider needs a baseUrl, such as http://127.0.0.1:11434/v1"
    : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
