/** A person who starts, answers, approves, retries and delivers whatever waits for that, whenever they look in. */
import type { WorldArtifact, WorldDecision, WorldProject, WorldTask } from "@atrium/wire/world";
import { codeOf, enterWorld, type WorldPeer } from "./world-peer.ts";

export interface Office {
  readonly projects: readonly WorldProject[];
  readonly tasks: readonly WorldTask[];
  readonly artifacts: readonly WorldArtifact[];
  readonly decisions: readonly WorldDecision[];
}

type Door = Parameters<typeof enterWorld>[0];

export async function lookAt(door: Door): Promise<Office> {
  await using peer = await enterWorld(door);
  return officeOf(peer);
}

function officeOf(peer: WorldPeer): Office {
  const [snapshot] = peer.told("snapshot");
  if (snapshot === undefined) throw new Error("there is no snapshot");
  return snapshot.payload;
}

/** Once. What was done in the life before, or by someone else meanwhile, is no mistake. */
export async function attend(door: Door): Promise<Office> {
  await using peer = await enterWorld(door);
  const office = officeOf(peer);
  const command = async (name: string, data: object): Promise<void> => {
    const code = codeOf(await peer.command(name, data));
    if (code !== "ok" && code !== "CONFLICT") throw new Error(`${name}: ${code}`);
  };
  for (const project of office.projects) await move(project, office, command);
  for (const { task_id, status } of office.tasks) {
    if (status === "failed") await command("rerun_task", { task_id });
  }
  for (const { decision_id, status, options } of office.decisions) {
    if (status !== "open") continue;
    await command("resolve_decision", { decision_id, choice: options[0] ?? "Yes" });
  }
  for (const { artifact_id, status, version: expected_version } of office.artifacts) {
    if (status !== "delivered") continue;
    await command("approve_artifact", { artifact_id, expected_version });
  }
  return office;
}

async function move(
  { project_id, status, line, deliveries = [] }: WorldProject,
  { tasks }: Office,
  command: (name: string, data: object) => Promise<void>,
): Promise<void> {
  const isOpen = tasks.some((task) => task.project_id === project_id && task.status === "planned");
  if (isOpen && (status === "planned" || status === "executing")) {
    await command("auto_assign", { project_id });
  }
  if (status === "failed") await command("start_kickoff", { project_id });
  if (status === "completed" && line !== undefined && deliveries.length === 0) {
    await command("deliver_project", { project_id });
  }
}

/** Whether everything that was asked for is approved, and what can be delivered was. */
export function isFinished({ projects }: Office): boolean {
  return projects.every(
    ({ status, line, deliveries }) =>
      status === "completed" && (line === undefined || deliveries !== undefined),
  );
}
