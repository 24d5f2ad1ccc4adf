/** The office and the projects done in it, put together. Part of compose.ts. */
import { sleep } from "./asking/timers.ts";
import type { Blobs } from "./blobs.ts";
import type { People } from "./compose-people.ts";
import type { State } from "./compose-state.ts";
import type { Director } from "./director/director.ts";
import { openOffice } from "./director/projects/open-office.ts";
import { homesOf } from "./director/projects/places.ts";
import { createProjectDirector } from "./director/projects/project-director.ts";
import { createViewers, type Viewers } from "./director/projects/viewers.ts";
import { createWalking } from "./director/projects/walking.ts";
import { createWorkKeys } from "./director/projects/work-keys.ts";
import { clock } from "./machine.ts";
import type { Part, Surface } from "./surface.ts";

export interface ProjectParts {
  readonly state: State;
  readonly people: People;
  readonly director: Director;
  readonly blobs: Blobs;
}

export interface OpenProjects extends Part {
  /** Who looks, and from where; told by whoever shows the office. */
  readonly viewers: Viewers;
}

export function composeProjects(
  { config, report }: Surface,
  { state, people, director, blobs }: ProjectParts,
  opened: AsyncDisposableStack,
): OpenProjects {
  const { crew } = config;
  const { office, officeView, scene, dispatch, projects, log } = state;
  const viewers = createViewers(state.floor);
  const homeOf = homesOf(crew);
  const floor = { office, sceneId: scene.scene_id, dispatch, clock };
  const projectDirector = opened.use(
    createProjectDirector({
      dispatch,
      projects,
      crew,
      log,
      blobs,
      clock,
      homeOf,
      budget: config.budgets.project,
      desk: director.desk,
      live: director.live,
      inquiries: people.asking,
      deadlines: people.deadlines,
      timers: people.timers,
      keys: createWorkKeys(crew),
      walking: createWalking({
        ...floor,
        view: officeView,
        speedMps: config.office.walkingSpeedMps,
        viewerNear: (place) => viewers.nearestTo(place),
      }),
      meetingMs: config.office.meetingMs,
      sleep,
      report,
    }),
  );
  return {
    viewers,
    onBatch: projectDirector.onBatch,
    async recover() {
      await openOffice({ ...floor, crew, homeOf });
      await projectDirector.recover();
    },
  };
}
