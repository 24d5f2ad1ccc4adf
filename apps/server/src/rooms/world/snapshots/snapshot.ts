/** How the office looks at a moment: who is where, and how the work stands. Pure: the time comes in. */
import {
  addUsage,
  joinedAgentId,
  NOTHING_USED,
  stateOf,
  statusOf,
  visitorIdOf,
  waitingFor,
  type Activities,
  type AgentState,
  type Approvals,
  type Artifact,
  type Builds,
  type CrewMember,
  type Decision,
  type JoinedSessions,
  type OfficeView,
  type Project,
  type Projects,
  type Questions,
  type Task,
  type Usage,
  type Visitor,
  type Visitors,
} from "@atrium/core";
import type {
  WorldAgent,
  WorldArtifact,
  WorldDecision,
  WorldProject,
  WorldTask,
  WorldViewer,
} from "@atrium/wire/world";
import type { Viewer } from "../../../projects/work/player-positions.ts";
import { deliveriesOnWire, plannedOnWire, reviewOnWire } from "../messages/change-on-wire.ts";
import { forkOnWire } from "../messages/fork-on-wire.ts";
import type { MessagePayload } from "../messages/message.ts";
import { omitEmpty } from "../messages/omit-empty.ts";
import { usageOnWire } from "../messages/usage.ts";
import { goalOnWire, pointOnWire } from "../translate/translate-office.ts";
import { standingsIn, currentWork, workIn } from "./current-work.ts";
import {
  introduceJoined,
  joinedState,
  type LiveSessionOf,
  type TakesTasks,
} from "./joined-agents.ts";
import { decidedBy, listOutsideDecisions, permissionIn } from "./outside-decisions.ts";
import { questionsOnWire } from "./questions-on-wire.ts";

export interface CrewMemberOnWire extends CrewMember {
  readonly runtime: string;
  readonly isRehearsal: boolean;
  /** As its runtime's settings name it. */
  readonly model?: string;
  readonly look?: number;
}

export interface SnapshotSources {
  readonly sceneId: string;
  readonly projects: Pick<Projects, "list" | "ofRun" | "get">;
  readonly approvals: Pick<Approvals, "list" | "listOpen" | "get">;
  readonly questions: Pick<Questions, "list" | "listOpen" | "get">;
  readonly builds: Pick<Builds, "open">;
  readonly view: OfficeView;
  readonly crew: readonly CrewMemberOnWire[];
  readonly activities: Pick<Activities, "now">;
  readonly visitors: Pick<Visitors, "list">;
  readonly joinedSessions: Pick<JoinedSessions, "list">;
  readonly liveSession: LiveSessionOf;
  readonly takesTasks: TakesTasks;
  /** What `atrium attach` takes for the session in which an agent works now. */
  readonly terminalOf: (agentId: string) => string | undefined;
  /** What a run uses that has not been counted yet. */
  readonly usageOf: (runId: string) => Usage | undefined;
}

/** Everything but where in the log it stands. */
export type SnapshotBody = Omit<MessagePayload<"snapshot">, "seq" | "epoch">;

/** What no log has. */
interface Passing {
  readonly viewers?: readonly Viewer[];
  /** Why nothing can be written. */
  readonly trouble?: string | undefined;
}

const DAY_MS = 24 * 60 * 60_000;
const MAX_ENDED = 20;

export function snapshotAt(
  scenery: SnapshotSources,
  time: number,
  { viewers = [], trouble }: Passing = {},
): SnapshotBody {
  const { sceneId, view } = scenery;
  const shown = shownProjects(scenery.projects.list(), time);
  const seen = viewers.at(-1) ?? view.playerAt(time) ?? NOBODY;
  return {
    scene_id: sceneId,
    agents: agentsAt(scenery, shown, time),
    projects: shown.map((project) => projectOnWire(project, scenery)),
    tasks: shown.flatMap((project) =>
      project.tasks.map((task) => taskOnWire(project, task, scenery)),
    ),
    artifacts: shown.flatMap(({ projectId, artifacts }) =>
      artifacts.map((artifact) => artifactOnWire(projectId, artifact)),
    ),
    decisions: [
      ...shown.flatMap(({ projectId, decisions }) =>
        decisions.map((decision) => decisionOnWire(projectId, decision, scenery)),
      ),
      ...listOutsideDecisions(scenery, scenery.crew, time),
    ],
    office_decor: view.decor().map(({ decorId, anchorId, projectId }) => ({
      decor_id: decorId,
      anchor_id: anchorId,
      unlocked_by_project_id: projectId,
    })),
    player: { pos: pointOnWire(seen.pos), facing: pointOnWire(seen.facing) },
    ...(viewers.length > 0 && { viewers: viewers.slice(-MAX_VIEWERS_SHOWN).map(viewerOnWire) }),
    ...(trouble !== undefined && { reading_only: trouble }),
  };
}

/** However many look, a snapshot stays small. */
const MAX_VIEWERS_SHOWN = 32;

function viewerOnWire({ viewerId, name, pos, facing }: Viewer): WorldViewer {
  return { viewer_id: viewerId, name, pos: pointOnWire(pos), facing: pointOnWire(facing) };
}

const NOBODY: Pick<Viewer, "pos" | "facing"> = { pos: [0, 0, 0], facing: [0, 0, 1] };

/** All that are not over, and of those that are the ones of the last day, or at least the last few. */
function shownProjects(projects: Iterable<Project>, time: number): readonly Project[] {
  const all = [...projects];
  const ended = all
    .filter(({ endedAt }) => endedAt !== null)
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0));
  const kept = new Set(
    ended.filter(({ endedAt }, at) => at < MAX_ENDED || (endedAt ?? 0) > time - DAY_MS),
  );
  return all.filter((project) => project.endedAt === null || kept.has(project));
}

function agentsAt(
  sources: SnapshotSources,
  projects: readonly Project[],
  time: number,
): WorldAgent[] {
  const { view, crew, activities, visitors, joinedSessions, liveSession } = sources;
  const { takesTasks, terminalOf } = sources;
  const atHand = currentWork(projects);
  const standings = standingsIn(projects);
  const members = new Map(crew.map((member) => [member.id, member]));
  const guests = new Map(visitors.list().map((each) => [visitorIdOf(each.agentId), each]));
  const askedHere = joinedAsking(sources);
  const joined = new Map(joinedSessions.list().map((each) => [joinedAgentId(each.id), each]));
  return view.positionsAt(time).map(({ agentId, pos, facing }) => {
    const member = members.get(agentId);
    const session = joined.get(agentId);
    const guest = member === undefined ? guests.get(agentId) : undefined;
    const state =
      member === undefined
        ? session === undefined
          ? stateIn(guest)
          : joinedState(session)
        : stateOf(activities.now, member.handle);
    const resting = { work: workIn(state, member === undefined), taskId: null };
    const { work: expected, taskId } = atHand.get(agentId) ?? resting;
    // What a session does it tells itself, whatever it has in hand.
    const work = session === undefined ? expected : resting.work;
    const status = statusOf({ work, state, isGuest: member === undefined, ...standings(agentId) });
    const agent = view.agent(agentId);
    const goal = agent?.goal ?? null;
    return {
      agent_id: agentId,
      ...(session === undefined
        ? introduction(agentId, member, guest)
        : introduceJoined(session, liveSession(session.id), askedHere.has(session.id), takesTasks)),
      pos: pointOnWire(pos),
      facing: pointOnWire(facing),
      state: view.poseAt(agentId, time, work) ?? "IdleAtHome",
      status,
      ...omitEmpty({
        task_id: taskId,
        goal: goal && goalOnWire(goal),
        poi_id: goal !== null && "poiId" in goal ? goal.poiId : agent?.homePoiId,
        because_seq: seqIn(agent?.because),
        attach: terminalOf(agentId),
      }),
      ...(work === "paused" && { is_paused: true }),
    };
  });
}

/** The joined sessions of which something is asked here and not answered yet. */
function joinedAsking({
  approvals,
  questions,
}: Pick<SnapshotSources, "approvals" | "questions">): ReadonlySet<string | undefined> {
  const permissions = approvals.listOpen().map(({ subject }) => subject.joinedId);
  return new Set([...permissions, ...questions.listOpen().map(({ source }) => source.joinedId)]);
}

/** What sent it is written as the entry's type and seq: `project.task_started@42`. */
function seqIn(because: string | null | undefined): number | null {
  const seq = /@(\d+)$/.exec(because ?? "")?.[1];
  return seq === undefined ? null : Number(seq);
}

const STATES: ReadonlySet<string> = new Set<AgentState>(["thinking", "acting", "waiting", "error"]);

function stateIn(guest: Visitor | undefined): AgentState {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the set holds nothing else
  return guest !== undefined && STATES.has(guest.state) ? (guest.state as AgentState) : "idle";
}

type Introduction = Pick<
  WorldAgent,
  "name" | "role" | "runtime" | "is_rehearsal" | "look" | "is_visitor" | "heard_at"
>;

function introduction(
  agentId: string,
  member: CrewMemberOnWire | undefined,
  guest: Visitor | undefined,
): Introduction {
  if (member === undefined) {
    const name = guest?.agentId ?? agentId;
    const signalInfo = guest === undefined ? {} : { runtime: guest.source, heard_at: guest.lastAt };
    return { name, role: "visitor", is_visitor: true, ...signalInfo };
  }
  const { name, role, runtime, isRehearsal, model, look } = member;
  return {
    name,
    role,
    runtime,
    ...(isRehearsal && { is_rehearsal: true }),
    ...omitEmpty({ model, look }),
  };
}

type Spending = Pick<SnapshotSources, "usageOf">;

function underWay({ runId, countedRunId }: Task, { usageOf }: Spending): Usage {
  if (runId === null || runId === countedRunId) return NOTHING_USED;
  return usageOf(runId) ?? NOTHING_USED;
}

function projectOnWire(project: Project, spending: Spending): WorldProject {
  const {
    projectId,
    status,
    title,
    summary,
    used,
    createdAt,
    endedAt,
    tasks,
    failure,
    repository,
  } = project;
  const request = status === "failed" ? requestOnWire(project) : null;
  const { line, isUpdating, deliveries } = project;
  const rest = {
    ...omitEmpty({ summary, repository, ended_at: endedAt, reason: failure, request, line }),
    ...(isUpdating && { is_updating: true as const }),
    ...deliveriesOnWire(deliveries),
  };
  const spent = usageOnWire(tasks.map((task) => underWay(task, spending)).reduce(addUsage, used));
  return { project_id: projectId, status, title, ...spent, created_at: createdAt, ...rest };
}

function requestOnWire({ text, constraints, attachments }: Project): WorldProject["request"] {
  const { rules } = constraints;
  const lines = Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  return { text, rules: lines, attachments: attachments.length };
}

function taskOnWire(project: Project, task: Task, spending: Spending): WorldTask {
  const { projectId } = project;
  const { taskId, title, status, assignee, runId: run_id, attempts, used, note, percent } = task;
  const about = { task_id: taskId, project_id: projectId, title, status, attempts };
  const spent = usageOnWire(addUsage(used, underWay(task, spending)));
  const description = task.description || null;
  const forked_from = forkOnWire(task.forkedFrom);
  const more = { description, assignee, run_id, note, percent, forked_from, role: task.role };
  const waiting_for = waitingFor(project, task);
  return {
    ...about,
    ...spent,
    ...omitEmpty(more),
    ...plannedOnWire(task),
    ...(waiting_for.length > 0 && { waiting_for: [...waiting_for] }),
    ...(task.isChecking && { is_checking: true }),
  };
}

export function artifactOnWire(projectId: string, artifact: Artifact): WorldArtifact {
  const { artifactId, taskId, kind, name, version, status, versions, poiId, reviewer } = artifact;
  const { mediaType = "application/octet-stream", bytes = 0 } = versions.at(-1) ?? {};
  const about = { artifact_id: artifactId, project_id: projectId, task_id: taskId, type: kind };
  const content = { name, version, status, media_type: mediaType, bytes };
  const more = { ...omitEmpty({ poi_id: poiId, reviewer: reviewer?.name }) };
  return { ...about, ...content, ...more, ...reviewOnWire(artifact) };
}

function decisionOnWire(
  projectId: string,
  decision: Decision,
  {
    approvals,
    questions: questionRows,
    crew,
  }: Pick<SnapshotSources, "approvals" | "questions" | "crew">,
): WorldDecision {
  const { decisionId, status, kind, prompt, options, askedAt, choice, note, by } = decision;
  const { allowsOther: allows_other } = decision;
  const row = status === "open" ? approvals.get(decision.ref) : undefined;
  const permission = kind === "permission" ? permissionIn(row, decisionId, crew) : undefined;
  const questions = status === "open" ? questionsOnWire(questionRows.get(decision.ref)) : undefined;
  return {
    decision_id: decisionId,
    project_id: projectId,
    status,
    kind,
    prompt,
    // What an earlier version wrote down has the options of the first question.
    options: questions === undefined ? [...options] : [],
    asked_at: askedAt,
    ...omitEmpty({ task_id: decision.taskId, agent_id: decision.agentId, choice, note }),
    ...omitEmpty({ permission, allows_other, questions }),
    ...decidedBy(by),
  };
}
