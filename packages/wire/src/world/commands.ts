/** What people may ask of the world: one schema of `data` per command name. */
import { Type, type Static } from "@atrium/schema";
import { method, type Contract } from "../method.ts";
import { AlwaysScope } from "../permission.ts";
import { AnyObject, closed } from "../scalars.ts";
import { ProjectStatus, TaskStatus } from "./entities.ts";
import { GivenId, Point } from "./ids.ts";
import { WORLD_LIMITS } from "./limits.ts";

const Text = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.text });
const Title = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.title });

/** What the sender believes to be so; when it is not, the answer is CONFLICT and nothing happens. */
const guards = {
  expected_task_status: Type.Optional(TaskStatus),
  expected_project_status: Type.Optional(ProjectStatus),
};

const WorldAttachment = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    media_type: Type.String({ pattern: "^[a-z]+/[a-zA-Z0-9.+-]+$" }),
    /** Base64. */
    data: Type.String({ maxLength: 8_000_000, pattern: "^[A-Za-z0-9+/]*={0,2}$" }),
  },
  closed,
);

const ofTask = { task_id: GivenId, ...guards };
const ofProject = { project_id: GivenId, ...guards };
const ofArtifact = {
  artifact_id: GivenId,
  ...guards,
  /** The version that was looked at: a verdict is never on one that nobody has seen. */
  expected_version: Type.Optional(Type.Integer({ minimum: 1 })),
};

const Answer = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.answer });

export const WORLD_COMMANDS = {
  submit_request: Type.Object(
    {
      text: Type.String({ maxLength: WORLD_LIMITS.text }),
      constraints: Type.Optional(AnyObject),
      attachments: Type.Optional(Type.Array(WorldAttachment, { maxItems: 10 })),
    },
    closed,
  ),
  assign_task: Type.Object({ ...ofTask, agent_id: GivenId }, closed),
  reassign_task: Type.Object({ ...ofTask, agent_id: GivenId }, closed),
  auto_assign: Type.Object(ofProject, closed),
  resolve_decision: Type.Object(
    {
      decision_id: GivenId,
      /** Of several that are asked together: a line for each, in their order. */
      choice: Type.Optional(Answer),
      /** In its place, what each of them is answered with. */
      answers: Type.Optional(
        Type.Array(
          Type.Object(
            { question_id: GivenId, choices: Type.Array(Answer, { minItems: 1, maxItems: 20 }) },
            closed,
          ),
          { minItems: 1, maxItems: WORLD_LIMITS.questions },
        ),
      ),
      note: Type.Optional(Type.String({ maxLength: WORLD_LIMITS.answer })),
      /** With "Always allow": how far it reaches; left out, as short as can be. */
      scope: Type.Optional(AlwaysScope),
      /** What reading a long permission at its `read_at` gave: shows that it was read. */
      seen: Type.Optional(Type.String({ maxLength: 100 })),
      ...guards,
    },
    closed,
  ),
  approve_artifact: Type.Object(ofArtifact, closed),
  request_changes: Type.Object(
    { ...ofArtifact, instructions: Type.String({ maxLength: WORLD_LIMITS.text }) },
    closed,
  ),
  split_into_tasks: Type.Object(
    {
      ...ofArtifact,
      task_titles: Type.Array(Title, { minItems: 1, maxItems: WORLD_LIMITS.titles }),
    },
    closed,
  ),
  player_pos: Type.Object({ pos: Point, facing: Type.Optional(Point) }, closed),
  move_player_to: Type.Union([
    Type.Object({ pos: Point }, closed),
    Type.Object({ poi_id: GivenId }, closed),
  ]),
  start_kickoff: Type.Object(ofProject, closed),
  cancel_task: Type.Object({ ...ofTask, confirm: Type.Literal(true) }, closed),
  pause_project: Type.Object(
    { ...ofProject, reason: Type.Optional(Type.String({ maxLength: 500 })) },
    closed,
  ),
  resume_project: Type.Object(ofProject, closed),
  cancel_project: Type.Object({ ...ofProject, confirm: Type.Literal(true) }, closed),
  rerun_task: Type.Object(ofTask, closed),
  /** To BD. */
  chat: Type.Object(
    { text: Text, thread_id: Type.Optional(Type.String({ maxLength: 128 })) },
    closed,
  ),
} as const;

export type WorldCommandName = keyof typeof WORLD_COMMANDS;
export type WorldCommandData<Name extends WorldCommandName> = Static<(typeof WORLD_COMMANDS)[Name]>;

/** People talk and are seen whoever they are, and a request is refused where it is taken in; all else is people's to decide. */
const FOR_ANYONE: ReadonlySet<string> = new Set<WorldCommandName>([
  "submit_request",
  "chat",
  "player_pos",
  "move_player_to",
]);

export function worldCommand<Name extends WorldCommandName>(
  name: Name,
): Contract<Name, (typeof WORLD_COMMANDS)[Name]> {
  return method({
    name,
    scope: null,
    // Where someone stands is outdated by the next position.
    idempotency: name === "player_pos" ? "none" : "frame",
    decides: !FOR_ANYONE.has(name),
    params: WORLD_COMMANDS[name],
    result: Type.Unknown(),
  });
}

export function isWorldCommand(name: string): name is WorldCommandName {
  return Object.hasOwn(WORLD_COMMANDS, name);
}
