/** The world, put together: its room, what is served of it over plain HTTP, and the office it shows. Part of compose.ts. */
import { randomInt } from "node:crypto";
import { conversation, DEFAULT_HANDLE, streamOf, type Usage } from "@atrium/core";
import { own } from "@atrium/wire";
import type { Fanout } from "../fanout/fanout.ts";
import type { Blobs } from "../platform/blobs.ts";
import { clock, ids } from "../platform/system-clock.ts";
import type { PlayerPositions } from "../projects/work/player-positions.ts";
import { createWorkKeys } from "../projects/work/work-keys.ts";
import { createWorldApi } from "../rooms/world/http/world-api.ts";
import { openWorldRoom } from "../rooms/world/room.ts";
import { candidatesOf } from "../rooms/world/snapshots/candidates.ts";
import { createPastSnapshots } from "../rooms/world/snapshots/past-snapshots.ts";
import { createTranslate } from "../rooms/world/translate/translate.ts";
import type { RunDirector } from "../runs/run-director.ts";
import { createStoreAttachments } from "../runs/store-attachments.ts";
import type { Door } from "./access.ts";
import type { People } from "./human-input.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { State } from "./state.ts";

const WORLD_PATH = "/ws/world";

export interface WorldParts {
  readonly state: State;
  readonly fanout: Fanout;
  readonly director: RunDirector;
  readonly people: People;
  readonly door: Door;
  readonly blobs: Blobs;
  readonly viewers: PlayerPositions;
}

export function composeWorld(surface: ServerOptions, parts: WorldParts): Part {
  const { config, version, report } = surface;
  const { state, fanout, director, people, door, blobs, viewers } = parts;
  const { limits, runtimes } = config;
  const crew = config.crew.map((member) => ({
    ...member,
    isRehearsal: own(runtimes, member.runtime)?.type === "rehearsal",
  }));
  const { floor, projects, office, officeView: view, log, activities, visitors } = state;
  const { approvals, questions, builds, dispatch } = state;
  const frontDesk = crew.find(({ handle }) => handle === DEFAULT_HANDLE);
  const translate = createTranslate({
    frontDeskId: frontDesk?.id ?? "agent_bd",
    office,
    agentIdOf: (handle) => crew.find((member) => member.handle === handle)?.id ?? `agent_${handle}`,
  });
  const keys = createWorkKeys(crew);
  const workOn = (taskId: string): readonly string[] =>
    crew.map(({ id }) => streamOf(conversation, keys.task(taskId, id).text));
  const usageOf = (runId: string): Usage | undefined => director.live.usageOf(runId);
  const scenery = {
    sceneId: floor.scene.scene_id,
    crew,
    usageOf,
    projects,
    approvals,
    questions,
    builds,
    view,
    activities,
    visitors,
  };
  let answers = 0;
  const life = ids.next().slice(0, 8);
  const room = openWorldRoom({
    log,
    dispatch,
    office,
    floor,
    projects,
    approvals,
    questions,
    builds,
    intake: director.intake,
    live: director.live,
    crew,
    limits,
    clock,
    ids,
    report,
    viewers,
    translate,
    scenery,
    version,
    authenticate: door.doorkeeper,
    humanInput: people.asking,
    timers: people.timers,
    openAudience: (present) => fanout.openAudience(present),
    storeAttachments: createStoreAttachments({ keep: (bytes) => blobs.put(bytes), limits }),
    candidates: () => candidatesOf(crew, projects),
    random: (below) => randomInt(below),
    nextNumber: () => `${life}_${++answers}`,
  });
  const past = createPastSnapshots({ log, floor, scenery });
  const api = createWorldApi(
    { log, blobs, scenery, floor, past, translate, clock, workOn },
    { access: door.access, report },
  );
  return {
    sockets: { [WORLD_PATH]: room },
    apps: [api],
    onBatch: room.onBatch,
    recover: () => room.recover(),
    forget() {
      past.forget();
      room.forget();
    },
    close: () => room.close(),
  };
}
