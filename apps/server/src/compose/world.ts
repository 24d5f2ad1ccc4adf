/** The world, put together: its room, what is served of it over plain HTTP, and the office it shows. Part of compose.ts. */
import { conversation, DEFAULT_HANDLE, streamOf } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Terminals } from "../agents/terminal/terminals.ts";
import type { Guests } from "../joined/tasks/guests.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { PlayerPositions } from "../projects/work/player-positions.ts";
import { createWorkKeys } from "../projects/work/work-keys.ts";
import { createWorldApi } from "../rooms/world/http/world-api.ts";
import { openWorldRoom } from "../rooms/world/room.ts";
import { candidatesOf } from "../rooms/world/snapshots/candidates.ts";
import { createPastSnapshots } from "../rooms/world/snapshots/past-snapshots.ts";
import type { SnapshotSources } from "../rooms/world/snapshots/snapshot.ts";
import { createTranslate } from "../rooms/world/translate/translate.ts";
import type { Config } from "../settings/read-config.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";
import type { State } from "./state.ts";

const WORLD_PATH = "/ws/world";

type WorldParts = Pick<
  Shared,
  | "state"
  | "fanout"
  | "director"
  | "people"
  | "auth"
  | "blobs"
  | "repositories"
  | "workspaceCommands"
  | "anchorRemarks"
  | "liveChecks"
  | "applySuggestions"
  | "deliverProject"
  | "submitRequest"
  | "liveSessions"
> & {
  readonly guests: Guests;
  readonly terminals: Pick<Terminals, "targetOf" | "onChange">;
};

export function composeWorld(
  { config, version, report }: ServerOptions,
  parts: WorldParts,
  viewers: PlayerPositions,
): Part {
  const { state, fanout, director, people, auth, blobs, submitRequest, liveSessions } = parts;
  const { guests, terminals } = parts;
  const { workspaceCommands, anchorRemarks, liveChecks, applySuggestions, deliverProject } = parts;
  const { crew, follow } = openShownCrew(config);
  const { floor, projects, office, log } = state;
  const { approvals, questions, builds, dispatch, trouble } = state;
  const idOf = (handle: string): string | undefined =>
    crew.find((each) => each.handle === handle)?.id;
  const translate = createTranslate({
    frontDeskId: () => idOf(DEFAULT_HANDLE) ?? "agent_bd",
    office,
    agentIdOf: (handle) => idOf(handle) ?? `agent_${handle}`,
  });
  const keys = createWorkKeys(crew, guests.guestOf);
  const workOn = (taskId: string): readonly string[] => {
    const holder = guests.guestOf(projects.ofTask(taskId)?.task.assignee ?? "");
    const all = holder === undefined ? crew : [...crew, holder];
    return all.map(({ id }) => streamOf(conversation, keys.task(taskId, id).text));
  };
  const scenery = sceneryOf(parts, crew);
  let answers = 0;
  const life = ids.next().slice(0, 8);
  const room = openWorldRoom({
    log,
    dispatch,
    office,
    floor,
    projects,
    workspaceCommands,
    anchorRemarks,
    applySuggestions,
    deliverProject,
    approvals,
    questions,
    builds,
    intake: director.intake,
    live: director.live,
    liveChecks,
    crew,
    limits: config.limits,
    clock,
    ids,
    report,
    viewers,
    trouble,
    translate,
    scenery,
    version,
    authenticate: auth.authenticate,
    humanInput: people.humanInput,
    timers: people.timers,
    openAudience: (present) => fanout.openAudience(present),
    submitRequest,
    liveSessions,
    terminals,
    candidates: () => candidatesOf(crew, projects),
    admitTask: guests.admitTask,
    nextNumber: () => `${life}_${++answers}`,
  });
  const past = createPastSnapshots({ log, floor, scenery });
  const sources = { log, blobs, reports: director.reports, live: director.live, scenery };
  const api = createWorldApi(
    { ...sources, floor, past, translate, clock, workOn },
    { access: auth.access, report },
  );
  const { onBatch, recover, close } = room;
  const forget = (): void => [past, room].forEach((each) => each.forget());
  const onSettings = (): Promise<void> => {
    follow(room.changed);
    return room.recover();
  };
  const sockets = { [WORLD_PATH]: room };
  return { sockets, apps: [api], onBatch, recover, onSettings, forget, close };
}

type SceneryParts = Pick<
  WorldParts,
  "state" | "director" | "liveSessions" | "guests" | "terminals"
>;

function sceneryOf(
  { state, director, liveSessions, guests, terminals }: SceneryParts,
  crew: SnapshotSources["crew"],
): SnapshotSources & Pick<State, "projects"> {
  const { floor, officeView: view, projects, approvals, questions, builds } = state;
  const { activities, visitors, joinedSessions } = state;
  return {
    sceneId: floor.scene.scene_id,
    crew,
    usageOf: (runId) => director.live.usageOf(runId),
    liveSession: (id) => liveSessions.get(id),
    takesTasks: guests.takesTasks,
    terminalOf: (agentId) => terminals.targetOf(agentId),
    projects,
    approvals,
    questions,
    builds,
    view,
    activities,
    visitors,
    joinedSessions,
  };
}

/** A list that stays the same; its members follow the settings. */
function openShownCrew({ crew, runtimes }: Pick<Config, "crew" | "runtimes">) {
  const read = () =>
    crew.map((each) => {
      const runtime = own(runtimes, each.runtime);
      const model = runtime !== undefined && "model" in runtime ? runtime.model : undefined;
      const isRehearsal = runtime?.type === "rehearsal";
      return { ...each, isRehearsal, ...(model !== undefined && { model }) };
    });
  const shown = read();
  const follow = (onChange: () => void): void => {
    shown.splice(0, shown.length, ...read());
    onChange();
  };
  return { crew: shown, follow };
}
