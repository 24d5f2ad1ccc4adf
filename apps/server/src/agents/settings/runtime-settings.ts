/**
 * Settings of runtimes, as atrium.config.json has them.
 *
 * Each type of runtime has its own schema, found by its `type`: what is wrong is then said about the type
 * that was meant, not about all of them.
 */
import { Compile, Type, type Static, type TSchema } from "@atrium/schema";
import { describeIssues } from "../../platform/issues.ts";
import { fieldsOf, isFields, type Fields } from "../turn/json-fields.ts";
import { McpServers, mcpServersProblem, type EquippedServer } from "./mcp-server-settings.ts";

const closed = { additionalProperties: false } as const;
const Count = Type.Optional(Type.Integer({ minimum: 1 }));
const ENV_NAME = "^[A-Za-z_][A-Za-z0-9_]*$";
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));
const envNames = (description: string) =>
  Type.Optional(Type.Array(Type.String({ pattern: ENV_NAME }), { description }));
const oneOf = <Name extends string>(names: readonly Name[], description: string) =>
  Type.Optional(
    Type.Unsafe<Name>(
      Type.Union(
        names.map((name) => Type.Literal(name)),
        { description },
      ),
    ),
  );

const OwnSettings = Type.Optional(
  Type.Boolean({
    description:
      "false: it gets no MCP servers but these and Atrium's. Left out: also those that its user has configured in it.",
  }),
);

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

const Price = Type.Object(
  {
    inputPerMillion: Type.Number({ minimum: 0 }),
    outputPerMillion: Type.Number({ minimum: 0 }),
    cachedInputPerMillion: Type.Optional(
      Type.Number({ minimum: 0, description: "Left out: as other input." }),
    ),
    cacheWritePerMillion: Type.Optional(
      Type.Number({
        minimum: 0,
        description: "For input that the provider puts into its cache. Left out: as other input.",
      }),
    ),
  },
  {
    ...closed,
    description:
      "US dollars for a million tokens of the model that is named in model. Left out: what it costs is unknown, unless the provider or the program says.",
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
    apiKeyEnv: text("The environment variable that holds the key."),
    price: Type.Optional(Price),
    contextTokens: Count,
    maxOutputTokens: Count,
    maxSteps: Count,
    maxRetries: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    firstByteTimeoutMs: Count,
    idleTimeoutMs: Count,
    mcpServers: Type.Optional(McpServers),
  },
  { ...closed, description: "A model behind an OpenAI-compatible or Anthropic API." },
);

const ClaudeCodeRuntime = Type.Object(
  {
    type: Type.Literal("claude-code"),
    command: text(
      "The program, by name or path; claude if left out. With transport bridge, left out: someone else starts it.",
    ),
    transport: oneOf(
      ["auto", "headless", "interactive", "channel", "bridge"],
      "How it is spoken with. auto: interactive where Claude Code is logged in with a subscription, else headless. bridge: any program that speaks the bridge's frames.",
    ),
    tokenEnv: Type.Optional(
      Type.String({
        pattern: ENV_NAME,
        description:
          "With transport bridge and no command: the environment variable that holds the secret by which a program that someone else starts comes in.",
      }),
    ),
    cwd: text("The folder it works in. Naming it says that it is trusted."),
    env: envNames(
      "Variables of the server's environment that it is given, such as ANTHROPIC_API_KEY.",
    ),
    model: Type.Optional(Type.String({ minLength: 1 })),
    permissionMode: oneOf(
      ["manual", "acceptEdits", "plan", "dontAsk", "auto"],
      "In any but manual, Claude Code decides some things without asking people.",
    ),
    idleStopMs: Count,
    maxProcesses: Count,
    mcpServers: Type.Optional(McpServers),
    ownSettings: OwnSettings,
    extraArgs: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
  },
  { ...closed, description: "Claude Code, as installed on this machine." },
);

const program = {
  command: Type.Array(Type.String(), {
    minItems: 1,
    description: "The program and its arguments.",
  }),
  cwd: text("The folder it works in. Left out, or relative: from where the server was started."),
  env: envNames(
    "Names of environment variables it is given besides PATH, HOME, LANG, TERM, TMPDIR.",
  ),
  maxOutputBytes: Count,
  contextTokens: Count,
};

const confined = {
  network: Type.Optional(
    Type.Boolean({ description: "Left out: true, as it needs one to reach its model." }),
  ),
  readable: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      description: "Files and folders it may read, such as its installation.",
    }),
  ),
};
const confinedDescription = "How it is confined in a run that has a workspace.";
const Sandbox = Type.Optional(
  Type.Object(confined, { ...closed, description: confinedDescription }),
);
const SandboxWithLogin = Type.Optional(
  Type.Object(
    {
      ...confined,
      login: Type.Optional(
        Type.Boolean({
          description:
            "false: it gets no copy of its user's login and settings there. Left out: it does, if Atrium knows where it keeps them.",
        }),
      ),
    },
    { ...closed, description: confinedDescription },
  ),
);

const CommandRuntime = Type.Object(
  {
    type: Type.Literal("command"),
    ...program,
    sandbox: Sandbox,
    timeoutMs: Count,
    mcpServers: Type.Optional(McpServers),
  },
  { ...closed, description: "A program that is run for every turn." },
);

const AcpRuntime = Type.Object(
  {
    type: Type.Literal("acp"),
    ...program,
    sandbox: SandboxWithLogin,
    program: oneOf(
      ["opencode", "gemini", "qwen", "copilot", "codex-acp"],
      "Which program it is, where the name of the command does not say so.",
    ),
    model: text("One of the models that it offers. Left out: the one it chooses."),
    price: Type.Optional(Price),
    mode: text("One of the modes that it offers. Left out: one in which it asks for permissions."),
    startTimeoutMs: Count,
    idleMs: Type.Optional(
      Type.Integer({ minimum: 1, description: "How long it is kept after a turn." }),
    ),
    maxProcesses: Count,
    mcpServers: Type.Optional(McpServers),
    ownSettings: OwnSettings,
  },
  { ...closed, description: "An agent that speaks the Agent Client Protocol on its stdio." },
);

const CodexRuntime = Type.Object(
  {
    type: Type.Literal("codex"),
    command: text("The program, by name or path; codex if left out."),
    cwd: text("The folder it works in. Left out, or relative: from where the server was started."),
    env: envNames("Variables of the server's environment that it is given, such as CODEX_HOME."),
    model: Type.Optional(Type.String({ minLength: 1 })),
    price: Type.Optional(Price),
    sandboxMode: oneOf(
      ["read-only", "workspace-write", "danger-full-access"],
      "What its commands may reach without asking. Left out: workspace-write.",
    ),
    approvalPolicy: oneOf(
      ["untrusted", "on-request", "never"],
      "In any but untrusted, Codex decides some things without asking people.",
    ),
    mode: oneOf(
      ["default", "plan"],
      "In plan, Codex is told to make a plan and change nothing, and may ask people questions. Left out: default.",
    ),
    startTimeoutMs: Count,
    idleMs: Count,
    maxProcesses: Count,
    maxOutputBytes: Count,
    contextTokens: Count,
    mcpServers: Type.Optional(McpServers),
    ownSettings: OwnSettings,
    extraArgs: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description: "Arguments before app-server, such as -c and key=value. No secrets.",
      }),
    ),
  },
  { ...closed, description: "Codex, as installed on this machine, by codex app-server." },
);

const ClineRuntime = Type.Object(
  {
    type: Type.Literal("cline"),
    ...program,
    sandbox: SandboxWithLogin,
    model: text("The model. Left out: the one that Cline is set to."),
    price: Type.Optional(Price),
    mode: oneOf(["act", "plan"], "In plan, it changes nothing. Left out: act."),
    startTimeoutMs: Count,
    approval: oneOf(
      ["ask", "allow", "deny"],
      "Whether it may use its tools, which it asks nobody about: asked before each turn outside of a workspace, always, or never. Left out: ask.",
    ),
    ownSettings: OwnSettings,
  },
  { ...closed, description: "Cline, run with --json for every turn." },
);

const OpenClawRuntime = Type.Object(
  {
    type: Type.Literal("openclaw"),
    url: Type.String({ pattern: "^wss?://", description: "Where the gateway is." }),
    tokenEnv: text("The environment variable that holds its token."),
    agentId: text("Which of its agents; left out: main."),
    sessionKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 512,
        description: "One session for all turns. Left out: one for each conversation here.",
      }),
    ),
    connectTimeoutMs: Count,
    reconnectTimeoutMs: Count,
    contextTokens: Count,
  },
  { ...closed, description: "An agent of an OpenClaw gateway." },
);

const RUNTIME_TYPES = {
  rehearsal: RehearsalRuntime,
  model: ModelRuntime,
  "claude-code": ClaudeCodeRuntime,
  command: CommandRuntime,
  acp: AcpRuntime,
  codex: CodexRuntime,
  cline: ClineRuntime,
  openclaw: OpenClawRuntime,
} as const;

export type RuntimeSettings = Static<(typeof RUNTIME_TYPES)[keyof typeof RUNTIME_TYPES]>;
export type SettingsOf<Name extends RuntimeSettings["type"]> = Omit<
  Extract<RuntimeSettings, { readonly type: Name }>,
  "type"
>;

/** Of a runtime that starts a program, once its folder and its environment are known. */
export type ProgramSettings<Name extends "command" | "acp" | "cline"> = Omit<
  SettingsOf<Name>,
  "cwd" | "env" | "mcpServers"
> & {
  /** An absolute path. */
  readonly cwd: string;
  /** All of the server's environment that the program is given. */
  readonly env: Readonly<Record<string, string>>;
} & (Name extends "acp" ? { readonly mcpServers?: readonly EquippedServer[] } : object);

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
    case "cline":
    case "claude-code":
    case "codex":
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
  for (const [name, settings] of Object.entries(fieldsOf(fieldsOf(file)["runtimes"]))) {
    const problem = isFields(settings) ? checkRuntime(settings) : undefined;
    if (problem !== undefined) return `runtime "${name}": ${problem}`;
  }
  return undefined;
}

function checkRuntime(settings: Fields): string | undefined {
  const types: [string, TSchema][] = Object.entries(RUNTIME_TYPES);
  const schema = types.find(([type]) => type === settings["type"])?.[1];
  if (schema === undefined) {
    const names = types.map(([type]) => type).join(", ");
    return `at /type: must be equal to one of the allowed values: ${names}`;
  }
  const validator = Compile(schema);
  if (!validator.Check(settings)) return describeIssues(validator.Errors(settings));
  const { provider, baseUrl, model, price, mcpServers } = settings;
  const reserved = mcpServersProblem(fieldsOf(mcpServers));
  if (reserved !== undefined) return reserved;
  // Which model a program chooses by itself changes without a word.
  if (price !== undefined && model === undefined) {
    return "a price is that of a model: name it in model";
  }
  return provider === "openai-compatible" && baseUrl === undefined
    ? "an openai-compatible provider needs a baseUrl, such as http://127.0.0.1:11434/v1"
    : undefined;
}
