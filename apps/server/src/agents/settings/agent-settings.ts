/** Settings of the crew and of what it may spend, as atrium.config.json has them. */
import { Type, type Static } from "@atrium/schema";
import { McpServers } from "./mcp-server-settings.ts";
import { SkillFolders } from "./skill-settings.ts";

const closed = { additionalProperties: false } as const;
const Count = Type.Integer({ minimum: 1 });
const Cap = Type.Object(
  {
    tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: "Left out: as many as is usual." }),
    ),
    cost: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: "In US dollars, of what is known. Left out: as much as it takes.",
      }),
    ),
  },
  closed,
);

export const AgentLimits = Type.Object(
  {
    run: Type.Optional(Cap),
    conversation: Type.Optional(Cap),
    turnTimeoutMs: Type.Optional(Count),
  },
  {
    ...closed,
    description: "What it may spend and how long a turn may take; the rest is as for everyone.",
  },
);
export type AgentLimits = Static<typeof AgentLimits>;

/** What an agent may do in its workspace without asking. */
export const WorkspacePermissions = Type.Union(
  [Type.Literal("ask"), Type.Literal("edit"), Type.Literal("sandbox")],
  {
    description:
      "In its workspace: ask before every change and command, edit freely and ask before commands, or do everything that stays in the sandbox. Left out: sandbox for Atrium's own tools, and what their runtimes say for programs.",
  },
);
export type WorkspacePermissions = Static<typeof WorkspacePermissions>;

export const AgentList = Type.Array(
  Type.Object(
    {
      id: Type.String({ pattern: "^agent_[a-z0-9_]+$" }),
      name: Type.String({ minLength: 1 }),
      role: Type.String({ minLength: 1 }),
      runtime: Type.Optional(
        Type.String({ minLength: 1, description: "Left out: the one named by --agents." }),
      ),
      cwd: Type.Optional(
        Type.String({
          minLength: 1,
          description: "The folder it works in, in place of the runtime's.",
        }),
      ),
      tools: Type.Optional(
        Type.Array(Type.String({ pattern: "^[\\w.*-]+$" }), {
          description:
            "Which of Atrium's tools it gets, by name; * stands for anything. Left out: all.",
        }),
      ),
      permissions: Type.Optional(WorkspacePermissions),
      desk: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 8,
          description: "The number of its desk. Left out: the first that is free.",
        }),
      ),
      look: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 999,
          description: "How it looks in the office, by number. Left out: made of its id.",
        }),
      ),
      limits: Type.Optional(AgentLimits),
      mcpServers: Type.Optional(McpServers),
      skills: Type.Optional(SkillFolders),
    },
    closed,
  ),
  { minItems: 1, description: "The crew. The front desk is agent_bd, else the first." },
);
export type AgentList = Static<typeof AgentList>;

export const BudgetSettings = Type.Object(
  { run: Type.Optional(Cap), conversation: Type.Optional(Cap), project: Type.Optional(Cap) },
  { ...closed, description: "What may be spent before someone is asked." },
);

interface Spend {
  readonly tokens: number;
  readonly cost?: number;
}

export type BudgetSettings = Readonly<Record<"run" | "conversation" | "project", Spend>>;

const DEFAULT_BUDGETS: BudgetSettings = {
  run: { tokens: 200_000 },
  conversation: { tokens: 2_000_000 },
  project: { tokens: 2_000_000 },
};

/** Figure by figure: what is not written is as it was. */
export function settleBudgets(
  written: Static<typeof BudgetSettings> = {},
  usual: BudgetSettings = DEFAULT_BUDGETS,
): BudgetSettings {
  const { run, conversation, project } = usual;
  return {
    run: { ...run, ...written.run },
    conversation: { ...conversation, ...written.conversation },
    project: { ...project, ...written.project },
  };
}
