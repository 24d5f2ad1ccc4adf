/** `atrium plan`: the tasks of a project, and what people change about them before and while they are worked on. */
import type { Snapshot, WorldClient } from "@atrium/client";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command, group } from "../command-line/command.ts";
import type { Environment } from "../command-line/environment.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import { connectWorld } from "../server/connect-world.ts";
import { explainRefusals } from "../server/explain-refusals.ts";
import { findServer, type ServerFlags } from "../server/find-server.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { planText, tasksOf, type PlannedTask } from "./plan/plan-text.ts";

const NAME_LENGTH = 120;

/** A task is named by its number in the plan, or by its id. */
const TASK_OPTIONS = {
  describe: { type: "string", takes: "TEXT", help: "what is to be done" },
  role: { type: "string", takes: "TEXT", help: "which kind of agent it is for" },
  after: {
    type: "string",
    takes: "N,N",
    help: "the tasks that are to be done before, by number or id; none: no task",
  },
  accept: {
    type: "string",
    multiple: true,
    takes: "TEXT",
    help: "what a good result is; may be repeated",
  },
  verify: {
    type: "string",
    multiple: true,
    takes: "COMMAND",
    help: "tells whether it is good; may be repeated",
  },
  kind: { type: "string", takes: "KIND", help: "change or document" },
} as const;

interface TaskFlags {
  readonly describe?: string | undefined;
  readonly role?: string | undefined;
  readonly after?: string | undefined;
  readonly accept?: string[] | undefined;
  readonly verify?: string[] | undefined;
  readonly kind?: string | undefined;
}

const show = command({
  name: "plan show",
  calls: [["plan show PROJECT", "list its tasks: what waits for what, and who has it"]],
  options: { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS },
  examples: ["atrium plan show proj_abc"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [projectId] = readWords("plan show", positionals, ["PROJECT"]);
    return withPlan(values, environment, projectId, async ({ tasks, snapshot }) => {
      const { out, paint } = environment.terminal;
      out(values.json === true ? `${JSON.stringify(tasks)}\n` : planText(tasks, snapshot, paint));
    });
  },
});

const add = command({
  name: "plan add",
  calls: [["plan add PROJECT TITLE", "add a task"]],
  options: {
    ...TASK_OPTIONS,
    before: { type: "string", takes: "N", help: "in front of this task; without it, the last" },
    ...SERVER_OPTIONS,
  },
  examples: ['atrium plan add proj_abc "Write the manual" --after 1,2 --kind document'],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [projectId, title] = readWords("plan add", positionals, ["PROJECT", "TITLE"]);
    return withPlan(values, environment, projectId, async ({ world, tasks }) => {
      const { before } = values;
      const front = before === undefined ? {} : { before: findTask(tasks, before).task_id };
      const data = {
        project_id: projectId,
        title,
        ...taskData("plan add", values, tasks),
        ...front,
      };
      await world.command("add_task", data);
      return "added";
    });
  },
});

const edit = command({
  name: "plan edit",
  calls: [["plan edit PROJECT N", "change a task"]],
  options: {
    title: { type: "string", takes: "TEXT", help: "its title" },
    ...TASK_OPTIONS,
    ...SERVER_OPTIONS,
  },
  examples: ["atrium plan edit proj_abc 3 --after 1 --verify 'npm test'"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [projectId, which] = readWords("plan edit", positionals, ["PROJECT", "N"]);
    return withPlan(values, environment, projectId, async ({ world, tasks }) => {
      const { title } = values;
      const changes = {
        ...taskData("plan edit", values, tasks),
        ...(title !== undefined && { title }),
      };
      if (Object.keys(changes).length === 0) throw usageError("plan edit", "Say what to change.");
      await world.command("edit_task", { task_id: findTask(tasks, which).task_id, ...changes });
      return "changed";
    });
  },
});

const remove = command({
  name: "plan remove",
  calls: [["plan remove PROJECT N", "remove a task that nobody has worked on"]],
  options: SERVER_OPTIONS,
  examples: ["atrium plan remove proj_abc 4"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [projectId, which] = readWords("plan remove", positionals, ["PROJECT", "N"]);
    return withPlan(values, environment, projectId, async ({ world, tasks }) => {
      await world.command("remove_task", { task_id: findTask(tasks, which).task_id });
      return "removed";
    });
  },
});

const order = command({
  name: "plan order",
  calls: [["plan order PROJECT N…", "put the tasks into another order; name all of them"]],
  options: SERVER_OPTIONS,
  examples: ["atrium plan order proj_abc 2 1 3"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const [projectId = "", ...words] = positionals;
    if (projectId === "" || words.length === 0) {
      throw usageError("plan order", "Name a project and all of its tasks.");
    }
    return withPlan(values, environment, projectId, async ({ world, tasks }) => {
      const task_ids = words.map((word) => findTask(tasks, word).task_id);
      await world.command("reorder_tasks", { project_id: projectId, task_ids });
      return "reordered";
    });
  },
});

const assign = command({
  name: "plan assign",
  calls: [
    ["plan assign PROJECT N AGENT", "give a task to an agent, with all that was done for it"],
  ],
  options: SERVER_OPTIONS,
  examples: ["atrium plan assign proj_abc 2 engineer"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const words = readWords("plan assign", positionals, ["PROJECT", "N", "AGENT"]);
    const [projectId, which, agent] = words;
    return withPlan(values, environment, projectId, async ({ world, tasks, snapshot }) => {
      const { task_id, assignee } = findTask(tasks, which);
      const data = { task_id, agent_id: findAgent(snapshot, agent) };
      await world.command(assignee === undefined ? "assign_task" : "reassign_task", data);
      return "assigned";
    });
  },
});

export const plan = group("plan", [show, add, edit, remove, order, assign]);

interface OpenPlan {
  readonly world: WorldClient;
  readonly snapshot: Snapshot;
  readonly tasks: readonly PlannedTask[];
}

async function withPlan(
  flags: ServerFlags,
  environment: Environment,
  projectId: string,
  work: (plan: OpenPlan) => Promise<string | void>,
): Promise<number> {
  using world = await connectWorld(await findServer(flags, environment));
  return await explainRefusals(async () => {
    const { snapshot } = world;
    if (snapshot === null || !snapshot.projects.some((each) => each.project_id === projectId)) {
      throw new CliError(`No project has the id ${plainLine(projectId, NAME_LENGTH)}.`);
    }
    const done = await work({ world, snapshot, tasks: tasksOf(snapshot, projectId) });
    const { err, errPaint } = environment.terminal;
    if (typeof done === "string") err(errPaint.quiet(`${done}\n`));
    return EXIT.ok;
  });
}

function readWords<const Names extends readonly string[]>(
  name: string,
  words: readonly string[],
  names: Names,
): { readonly [Index in keyof Names]: string } {
  const missing = names[words.length];
  if (missing !== undefined) throw usageError(name, `${missing} is missing.`);
  const extra = words[names.length];
  if (extra !== undefined) throw usageError(name, `Unexpected argument: ${extra}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as many as there are names
  return words as unknown as { readonly [Index in keyof Names]: string };
}

function findTask(tasks: readonly PlannedTask[], word: string): PlannedTask {
  const number = /^\d{1,4}$/.test(word) ? Number(word) : 0;
  const found = tasks[number - 1] ?? tasks.find(({ task_id: id }) => id === word);
  if (found !== undefined) return found;
  const known =
    tasks.length === 0 ? "It has no tasks yet." : `It has the tasks 1 to ${tasks.length}.`;
  throw new CliError(`The plan has no task ${plainLine(word, NAME_LENGTH)}.`, { advice: known });
}

function findAgent({ agents }: Snapshot, word: string): string {
  const name = word.toLowerCase();
  const found = agents.find(
    ({ agent_id: id, name: called }) =>
      id === word || id === `agent_${name}` || called.toLowerCase() === name,
  );
  if (found !== undefined) return found.agent_id;
  const names = agents.map((agent) => plainLine(agent.name, NAME_LENGTH)).join(", ");
  throw new CliError(`No agent is called ${plainLine(word, NAME_LENGTH)}.`, {
    advice: `Agents: ${names}`,
  });
}

function taskData(name: string, flags: TaskFlags, tasks: readonly PlannedTask[]) {
  const { describe: description, role, after, accept, verify } = flags;
  const kind = readKind(name, flags.kind);
  const words = after === undefined || after === "none" ? [] : after.split(",");
  return {
    ...(description !== undefined && { description }),
    ...(role !== undefined && { role }),
    ...(after !== undefined && {
      after: words.map((word) => findTask(tasks, word.trim()).task_id),
    }),
    ...(accept !== undefined && { accept }),
    ...(verify !== undefined && { verify }),
    ...(kind !== undefined && { kind }),
  };
}

function readKind(name: string, text: string | undefined): "change" | "document" | undefined {
  if (text === undefined || text === "change" || text === "document") return text;
  throw usageError(name, "--kind takes change or document.");
}
