/** Snapshots for tests: what matters is given, the rest is plain. */
import type { Snapshot } from "@atrium/client";
import type {
  CallEvent,
  WorldAgent,
  WorldArtifact,
  WorldDecision,
  WorldEvent,
  WorldProject,
  WorldTask,
} from "@atrium/wire/world";
import type { CallMoment, Moment } from "../world/moments.ts";

export function snapshotWith(parts: Partial<Snapshot> = {}): Snapshot {
  return {
    scene_id: "cozy_office_v0",
    seq: 1,
    epoch: "e1",
    agents: [],
    projects: [],
    tasks: [],
    artifacts: [],
    decisions: [],
    office_decor: [],
    player: { pos: [0, 0, 0], facing: [0, 0, 1] },
    ...parts,
  };
}

export function agent(id: string, rest: Partial<WorldAgent> = {}): WorldAgent {
  const place = {
    pos: [0, 0, 0] as [number, number, number],
    facing: [0, 0, 1] as [number, number, number],
  };
  return {
    agent_id: `agent_${id}`,
    name: id,
    role: "engineer",
    state: "IdleAtHome",
    ...place,
    ...rest,
  };
}

export function project(id: string, rest: Partial<WorldProject> = {}): WorldProject {
  return {
    project_id: `proj_${id}`,
    status: "executing",
    title: id,
    tokens: 0,
    created_at: 0,
    ...rest,
  };
}

export function task(id: string, rest: Partial<WorldTask> = {}): WorldTask {
  const base = { task_id: `task_${id}`, project_id: "proj_a", title: id, attempts: 0, tokens: 0 };
  return { ...base, status: "planned", ...rest };
}

export function artifact(id: string, rest: Partial<WorldArtifact> = {}): WorldArtifact {
  const base = {
    artifact_id: `art_${id}`,
    project_id: "proj_a",
    task_id: "task_a",
    name: `${id}.md`,
  };
  const content = { type: "document", version: 1, media_type: "text/markdown", bytes: 1 };
  return { ...base, ...content, status: "delivered", ...rest };
}

export function decision(id: string, rest: Partial<WorldDecision> = {}): WorldDecision {
  const base = { decision_id: `dec_${id}`, project_id: "proj_a", prompt: `${id}?`, asked_at: 0 };
  return { ...base, status: "open", kind: "question", options: ["Red", "Blue"], ...rest };
}

export function moment(seq: number, at: number, event: WorldEvent): Moment {
  return { seq, at, event: { ...event, seq } };
}

export function toolCalled(seq: number, callId: string, rest: Partial<CallEvent> = {}): CallMoment {
  const about = { project_id: "proj_a", task_id: "task_a", agent_id: "agent_eng", run_id: "r1" };
  const event = { ...about, name: "tool_called", call_id: callId, tool: "look", input: "{}" };
  return { seq, at: seq * 1_000, event: { ...event, seq, ...rest } as CallEvent };
}

export function toolReturned(seq: number, callId: string, text: string): CallMoment {
  return toolCalled(seq, callId, { name: "tool_returned", text, is_error: false });
}
