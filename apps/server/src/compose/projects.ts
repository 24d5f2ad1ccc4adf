/** The office and the projects done in it, put together. Part of compose.ts. */
import { randomInt } from "node:crypto";
import type { Dispatch } from "@atrium/core";
import type { Guests } from "../joined/tasks/guests.ts";
import { clock } from "../platform/system-clock.ts";
import { sleep } from "../platform/timers.ts";
import { createProjectDirector } from "../projects/project-director.ts";
import { createProjectPrompts } from "../projects/prompts/project-prompts.ts";
import { createAgentWalks } from "../projects/work/agent-walks.ts";
import { createForkedTalk } from "../projects/work/forked-talk.ts";
import { openOffice, type OpenedOffice } from "../projects/work/open-office.ts";
import { homesOf } from "../projects/work/places.ts";
import { createPlayerPositions, type PlayerPositions } from "../projects/work/player-positions.ts";
import { createSubmitRequest, type SubmitRequest } from "../projects/work/submit-request.ts";
import { createWorkKeys } from "../projects/work/work-keys.ts";
import { createSharedCursor, createSnapshotCursor } from "../reactions/cursor.ts";
import { createStoreAttachments } from "../runs/store-attachments.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";
import type { OpenChanges } from "./workshop/changes.ts";
import type { Workshop } from "./workshop/workspaces.ts";

/** Under which its cursor is saved. */
const DIRECTOR = "project-director";

export interface OpenProjects extends Part {
  /** Who looks, and from where; told by whoever shows the office. */
  readonly viewers: PlayerPositions;
}

export function composeRequests(
  { config }: Pick<ServerOptions, "config">,
  { repositories, blobs }: Pick<Shared, "repositories" | "blobs">,
  dispatch: Dispatch,
): SubmitRequest {
  return createSubmitRequest({
    dispatch,
    repositories,
    storeAttachments: createStoreAttachments({
      keep: (bytes) => blobs.put(bytes),
      limits: config.limits,
    }),
    clock,
    random: (below) => randomInt(below),
  });
}

type ProjectParts = Pick<Shared, "state" | "people" | "director" | "blobs" | "repositories"> &
  Pick<OpenChanges, "changes" | "checks"> & { readonly guests: Guests };

export function composeProjects(
  { config, report, note }: ServerOptions,
  { state, people, director, blobs, repositories, changes, checks, guests }: ProjectParts,
  useWorkspaces: Workshop["use"],
  directing: AsyncDisposableStack,
): OpenProjects {
  const { crew, office: pace } = config;
  let opened: OpenedOffice | undefined;
  const { office, officeView, direct: dispatch, projects, conversations, workspaces, log } = state;
  const viewers = createPlayerPositions(state.floor, state.relay.mirror);
  const homeOf = homesOf(crew, (agentId) => officeView.agent(agentId)?.homePoiId ?? undefined);
  const keys = createWorkKeys(crew, guests.guestOf);
  const { scene_id: sceneId } = state.floor.scene;
  const projectDirector = directing.use(
    createProjectDirector({
      dispatch,
      projects,
      conversations,
      crew,
      isAway: guests.isAway,
      log,
      cursor: state.chain
        ? createSharedCursor(DIRECTOR, log, dispatch)
        : createSnapshotCursor(DIRECTOR, log),
      blobs,
      changes,
      checks,
      clock,
      homeOf,
      budget: config.budgets.project,
      intake: director.ownIntake,
      live: director.live,
      inquiries: people.ownHumanInput,
      deadlines: people.deadlines,
      timers: people.timers,
      keys,
      readForkedTalk: createForkedTalk({ log, keys, crew }),
      prompts: createProjectPrompts({
        crew,
        blobs,
        workspaces,
        repositories,
        useWorkspaces,
        timers: people.timers,
        note,
        endOf: async (runId) => (await director.reports.get(runId))?.ended,
      }),
      walking: createAgentWalks({
        office,
        sceneId,
        dispatch,
        clock,
        view: officeView,
        speedMps: () => pace.walkingSpeedMps,
        viewerNear: (place) => viewers.nearestTo(place),
      }),
      meetingMs: () => pace.meetingMs,
      sleep,
      report,
    }),
  );
  return {
    viewers,
    reactionFaults: () => projectDirector.faults,
    onSettings: () => opened?.reseat(),
    directs: {
      onBatch: projectDirector.onBatch,
      async recover() {
        opened = await openOffice({ office, sceneId, dispatch, clock, crew, homeOf });
        await projectDirector.recover();
      },
    },
  };
}
