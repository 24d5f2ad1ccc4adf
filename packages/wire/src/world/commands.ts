/** What people may ask of the world: one schema of `data` per command name. */
import { Type, type Static } from "@atrium/schema";
import { method, type Contract } from "../method.ts";
import { AlwaysScope } from "../permission.ts";
import { RepositoryId } from "../repository.ts";
import { AnyObject, strictObject } from "../scalars.ts";
import { DELIVERY_WAYS, LineComment, TaskKind } from "./changes.ts";
import { ProjectStatus, TaskStatus } from "./entities.ts";
import { GivenId, Point } from "./ids.ts";
import { WORLD_LIMITS } from "./limits.ts";
import { oneOf } from "./one-of.ts";

const Text = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.text });
const Title = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.title });

/** What the sender believes to be so; when it is not, the answer is CONFLICT and nothing happens. */
const guards = {
  expected_task_status: Type.Optional(TaskStatus),
  expected_project_status: Type.Optional(ProjectStatus),
};

const WorldAttachment = strictObject({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  media_type: Type.String({ pattern: "^[a-z]+/[a-zA-Z0-9.+-]+$" }),
  /** Base64. */
  data: Type.String({ maxLength: 8_000_000, pattern: "^[A-Za-z0-9+/]*={0,2}$" }),
});

const ofTask = { task_id: GivenId, ...guards };
const ofProject = { project_id: GivenId, ...guards };
const ofArtifact = {
  artifact_id: GivenId,
  ...guards,
  /** The version that was looked at: a verdict is never on one that nobody has seen. */
  expected_version: Type.Optional(Type.Integer({ minimum: 1 })),
};

const TaskIds = Type.Array(GivenId, { maxItems: WORLD_LIMITS.tasks });
const listOf = (count: number, characters: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: characters }), { maxItems: count });

/** What a task says; with a change, what is left out stays as it is. */
const taskText = {
  description: Type.Optional(Type.String({ maxLength: WORLD_LIMITS.text })),
  role: Type.Optional(Type.String({ maxLength: WORLD_LIMITS.title })),
  /** Ids of tasks that are to be done before. */
  after: Type.Optional(TaskIds),
  accept: Type.Optional(listOf(WORLD_LIMITS.criteria, WORLD_LIMITS.criterion)),
  verify: Type.Optional(listOf(WORLD_LIMITS.commands, WORLD_LIMITS.command)),
  kind: Type.Optional(TaskKind),
};

const Seq = Type.Integer({ minimum: 0 });

const Answer = Type.String({ minLength: 1, maxLength: WORLD_LIMITS.answer });

export const WORLD_COMMANDS = {
  submit_request: strictObject({
    text: Type.String({ maxLength: WORLD_LIMITS.text }),
    constraints: Type.Optional(AnyObject),
    attachments: Type.Optional(Type.Array(WorldAttachment, { maxItems: 10 })),
    /** What to work on; left out: a repository of its own. */
    repository: Type.Optional(RepositoryId),
  }),
  assign_task: strictObject({ ...ofTask, agent_id: GivenId }),
  reassign_task: strictObject({ ...ofTask, agent_id: GivenId }),
  auto_assign: strictObject(ofProject),
  resolve_decision: strictObject({
    decision_id: GivenId,
    /** Of several that are asked together: a line for each, in their order. */
    choice: Type.Optional(Answer),
    /** In its place, what each of them is answered with. */
    answers: Type.Optional(
      Type.Array(
        strictObject({
          question_id: GivenId,
          choices: Type.Array(Answer, { minItems: 1, maxItems: 20 }),
        }),
        { minItems: 1, maxItems: WORLD_LIMITS.questions },
      ),
    ),
    note: Type.Optional(Type.String({ maxLength: WORLD_LIMITS.answer })),
    /** With "Always allow": how far it reaches; left out, as short as can be. */
    scope: Type.Optional(AlwaysScope),
    /** What reading a long permission at its `read_at` gave: shows that it was read. */
    seen: Type.Optional(Type.String({ maxLength: 100 })),
    ...guards,
  }),
  approve_artifact: strictObject(ofArtifact),
  request_changes: strictObject({
    ...ofArtifact,
    /** May be empty where there are comments. */
    instructions: Type.String({ maxLength: WORLD_LIMITS.text }),
    comments: Type.Optional(Type.Array(LineComment, { maxItems: WORLD_LIMITS.comments })),
  }),
  split_into_tasks: strictObject({
    ...ofArtifact,
    task_titles: Type.Array(Title, { minItems: 1, maxItems: WORLD_LIMITS.titles }),
  }),
  player_pos: strictObject({ pos: Point, facing: Type.Optional(Point) }),
  move_player_to: Type.Union([strictObject({ pos: Point }), strictObject({ poi_id: GivenId })]),
  start_kickoff: strictObject(ofProject),
  cancel_task: strictObject({ ...ofTask, confirm: Type.Literal(true) }),
  pause_project: strictObject({
    ...ofProject,
    reason: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  resume_project: strictObject(ofProject),
  cancel_project: strictObject({ ...ofProject, confirm: Type.Literal(true) }),
  rerun_task: strictObject(ofTask),
  /** A plan in people's hands, before it is handed out and while it runs. */
  add_task: strictObject({
    ...ofProject,
    title: Title,
    ...taskText,
    /** The task that it is put in front of; left out: the last. */
    before: Type.Optional(GivenId),
  }),
  edit_task: strictObject({ ...ofTask, title: Type.Optional(Title), ...taskText }),
  /** One that nobody has worked on; any other is cancelled. */
  remove_task: strictObject(ofTask),
  reorder_tasks: strictObject({ ...ofProject, task_ids: TaskIds }),
  resolve_comment: strictObject({ artifact_id: GivenId, comment_id: GivenId }),
  /** Takes a merged change back, as a change of its own. */
  revert_artifact: strictObject({ artifact_id: GivenId }),
  /** Puts what comments suggest in place of their lines, as a version of its own. */
  apply_suggestions: strictObject({
    artifact_id: GivenId,
    ...guards,
    expected_version: Type.Integer({ minimum: 1 }),
    comments: Type.Array(LineComment, { minItems: 1, maxItems: WORLD_LIMITS.comments }),
  }),
  /** Merges what is new in the repository into the project's line. */
  update_project: strictObject(ofProject),
  /** Hands what was merged to the person who asks; left out, as the repository's settings say. */
  deliver_project: strictObject({ ...ofProject, how: Type.Optional(oneOf(DELIVERY_WAYS)) }),
  /** The files of a task as they were at a position of the log; refused while a run works there. */
  restore_files: strictObject({ ...ofTask, seq: Seq }),
  /** A task beside it that starts from those files, with what was said until then. */
  fork_task: strictObject({ ...ofTask, seq: Seq, instructions: Type.Optional(Text) }),
  /** For a joined session, which takes it when it next can. */
  leave_message: strictObject({ agent_id: GivenId, text: Text }),
  /** To BD. */
  chat: strictObject({ text: Text, thread_id: Type.Optional(Type.String({ maxLength: 128 })) }),
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
