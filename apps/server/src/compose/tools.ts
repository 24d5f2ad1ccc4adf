/** The tools of the crew, and the machine on which they run, put together. Part of compose.ts. */
import {
  accept,
  createTranscript,
  Fault,
  findWorkspaceStart,
  SANDBOX,
  sandbox,
} from "@atrium/core";
import type { HttpAccess } from "../access/http-access.ts";
import { openDetector } from "../agents/detection/detector.ts";
import { MODEL_SERVER_TABLE } from "../agents/detection/model-servers.ts";
import { environmentFor } from "../agents/process/environment.ts";
import { createConfinement } from "../confinement/choose-confinement.ts";
import type { Confinement, ConfinementReport } from "../confinement/confinement.ts";
import { endLeftSandboxes, homeMark } from "../confinement/left-sandboxes.ts";
import { AGENT_VARIABLE } from "../platform/agent-processes.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { holdingTimers, systemTimers } from "../platform/timers.ts";
import type { GatewayExtension } from "../rooms/gateway/extension.ts";
import type { GatewayCaller } from "../rooms/gateway/frames/peer.ts";
import { discoverMethod } from "../rooms/machine/inbound/methods.ts";
import { createMachineRoom } from "../rooms/machine/room.ts";
import type { LiveEvent } from "../runs/live-runs.ts";
import type { RunDirector } from "../runs/run-director.ts";
import { deskTools, type DeskToolsDeps } from "../tools/desk/desk-tools.ts";
import { fileTools } from "../tools/files/file-tools.ts";
import { ownTools } from "../tools/own-tools.ts";
import { taskTools, type TaskToolsDeps } from "../tools/tasks/task-tools.ts";
import { createToolbox, type OpenToolbox } from "../tools/toolbox.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Turns } from "./runs.ts";
import type { LiveSettings } from "./settings/live-options.ts";
import type { State } from "./state.ts";

export interface ToolParts extends Pick<Turns, "humanInput" | "blobs"> {
  readonly confinement: Confinement;
  /** What no agent may say, nor any program it runs. */
  readonly secrets: () => readonly string[];
  readonly useWorkspaces: TaskToolsDeps["useWorkspaces"];
  readonly repositories: DeskToolsDeps["repositories"];
  readonly submitRequest: DeskToolsDeps["submitRequest"];
}

type ToolSources = Pick<State, "log" | "conversations" | "direct" | "projects" | "workspaces">;

/** Tools need runs, and turns need tools: one of them has to be looked up later. */
export function composeTools(
  { config }: Pick<ServerOptions, "config">,
  { log, conversations, direct: dispatch, projects, workspaces }: ToolSources,
  parts: ToolParts,
  runs: () => RunDirector,
): OpenToolbox {
  const { humanInput, blobs, confinement, secrets, useWorkspaces } = parts;
  const { repositories, submitRequest } = parts;
  const live = {
    publish: (runId: string, event: LiveEvent) => runs().live.publish(runId, event),
  };
  return createToolbox([
    ...ownTools({
      crew: config.crew,
      conversations,
      transcript: createTranscript(log),
      dispatch,
      humanInput,
      blobs,
      clock,
      ids,
      modelOf: (handle) => runs().modelOf(handle),
      intake: { send: (message, once) => runs().ownIntake.send(message, once) },
      live,
      runs: { wait: (runId, signal) => runs().reports.wait(runId, signal) },
    }),
    ...fileTools({
      confinement,
      blobs,
      secrets,
      timers: systemTimers,
      humanInput,
      live,
      permissionsOf: (agentId) =>
        config.crew.find(({ id }) => id === agentId)?.permissions ?? "sandbox",
    }),
    ...deskTools({
      projects,
      crew: config.crew,
      humanInput,
      repositories,
      submitRequest,
      dispatch,
      clock,
    }),
    ...taskTools({
      crew: config.crew,
      projects,
      workspaces,
      useWorkspaces,
      dispatch,
      blobs,
      now: () => clock.now(),
      endOf: async (runId) => (await runs().reports.get(runId))?.ended,
      startOf: (workspaceId) => findWorkspaceStart(log, workspaceId),
    }),
  ]);
}

export interface AgentConfinement extends Confinement {
  /** Whether something has been started in it. */
  readonly isUsed: () => boolean;
}

/** The start is over by then, and whoever lives shorter needs no sandbox. */
const SELF_TEST_AFTER_MS = 5_000;

export function openConfinement(
  { home, note, report, readEnv }: Pick<ServerOptions, "home" | "note" | "report" | "readEnv">,
  { direct, cluster }: Pick<State, "direct" | "cluster">,
  mark: string,
  opened: AsyncDisposableStack,
): AgentConfinement {
  const ended = endLeftSandboxes(AGENT_VARIABLE, homeMark(home.folder), mark);
  if (ended > 0) note("left-over sandboxes ended", { processes: ended });
  const confinement = createConfinement({
    platform: process.platform,
    path: readEnv("PATH") ?? "",
    node: process.execPath,
    secret: [...new Set([home.folder, home.shared])],
    marks: { [AGENT_VARIABLE]: mark },
    env: environmentFor([], readEnv),
    timers: holdingTimers,
    now: () => performance.now(),
  });
  const keep = async (found: ConfinementReport): Promise<void> => {
    // Agents run where the director is; what other machines can do is of no interest.
    await cluster.lease.granted;
    const kept = await direct(sandbox, SANDBOX, { type: "record", ...found });
    // The next director tries its own.
    const isKept = kept.ok || kept.code === "log.fenced";
    if (!isKept) throw new Fault("the log refused it", { ...kept });
  };
  let isUsed = false;
  let probing: Promise<ConfinementReport> | undefined;
  const probe = (): Promise<ConfinementReport> =>
    (probing ??= confinement.probe().then((found) => {
      const { mode, problem, attempts } = found;
      if (problem === null) note("commands run in a sandbox", { mode, escapes: attempts.length });
      else note("commands are asked of people", { mode, problem });
      keep(found).catch((cause: unknown) =>
        report(new Fault("what became of the sandbox's test is not in the log", {}, cause)),
      );
      return found;
    }));
  const cancel = systemTimers.after(SELF_TEST_AFTER_MS, () => {
    probe().catch((cause: unknown) => report(new Fault("the sandbox was not tried", {}, cause)));
  });
  opened.defer(cancel);
  return {
    probe,
    isUsed: () => isUsed,
    async enclose(...command) {
      isUsed = true;
      await probe();
      return confinement.enclose(...command);
    },
    async run(...command) {
      isUsed = true;
      await probe();
      return confinement.run(...command);
    },
  };
}

type MachineOptions = Pick<ServerOptions, "config" | "readEnv" | "report"> &
  Pick<LiveSettings, "keys">;

interface MachineParts {
  readonly state: Pick<State, "relay">;
  readonly confinement: Pick<Confinement, "probe">;
  /** By which the processes of agents are known again. */
  readonly mark: string;
}

interface MachinePart extends Part {
  readonly extension: GatewayExtension;
}

export function composeMachine(
  { config, readEnv, keys, report }: MachineOptions,
  { state, confinement, mark }: MachineParts,
  access: HttpAccess,
  opened: AsyncDisposableStack,
): MachinePart {
  const detector = opened.use(
    openDetector({
      readEnv: (name) => (name === AGENT_VARIABLE ? mark : readEnv(name)),
      isKept: (name) => keys.get(name) !== undefined,
      timers: systemTimers,
      now: () => clock.now(),
      // Where this server listens, it would find itself.
      modelServers: MODEL_SERVER_TABLE.filter(({ port }) => port !== config.port),
    }),
  );
  // Agents work where the director is, so its machine is the one that matters.
  const detect = state.relay.atDirector("agents.detect", async (isFresh: boolean) =>
    accept(await detector.detect(isFresh)),
  );
  const probeConfinement = () => confinement.probe();
  return {
    apps: [createMachineRoom({ probeConfinement, detect, access, report })],
    extension: { methods: [discoverMethod<GatewayCaller>(detect)], connect: () => undefined },
    // Before the listener waits for answers: those that wait for a program are given at once.
    close: () => void detector[Symbol.asyncDispose](),
  };
}
