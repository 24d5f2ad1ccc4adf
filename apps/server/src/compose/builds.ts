/** Build sessions, put together: agents that can build, the conductor of their turns, and the room. Part of compose.ts. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { buildChanged } from "@atrium/wire/build";
import type { HttpAccess } from "../access/http-access.ts";
import type { AgentRuntime } from "../agents/turn/agent-runtime.ts";
import { createAnswerWait } from "../builds/answer-wait.ts";
import { BuildChecks, type BuildChecksDeps } from "../builds/build-checks.ts";
import { createBuildCommands, type BuildCommands } from "../builds/build-commands.ts";
import { BuildDirector } from "../builds/build-director.ts";
import { createBuildRuntime } from "../builds/build-runtime.ts";
import { createBuildWaits } from "../builds/build-waits.ts";
import { createDecidePermission } from "../builds/decide-permission.ts";
import { createReadBuildFiles } from "../builds/read-build-files.ts";
import { createReadBuilds } from "../builds/read-builds.ts";
import type { ReadBuildHistory } from "../builds/turn-message.ts";
import type { Endpoint } from "../http/api.ts";
import { bodyLimitsOf } from "../http/body-limits.ts";
import { EncodedJson } from "../pipeline/method-router.ts";
import { clock, ids } from "../platform/system-clock.ts";
import { sleep } from "../platform/timers.ts";
import { buildMethods } from "../rooms/build/inbound/methods.ts";
import { openBuildRoom } from "../rooms/build/room.ts";
import type { GatewayExtension } from "../rooms/gateway/extension.ts";
import { answererOf } from "../rooms/gateway/frames/answerers.ts";
import type { GatewayCaller } from "../rooms/gateway/frames/peer.ts";
import type { Part, ServerOptions } from "./parts.ts";
import type { Shared } from "./shared.ts";
import type { State } from "./state.ts";

const SKILL = new URL("../../../../skills/communication-protocol/SKILL.md", import.meta.url);

/** The crew's runtimes, able to build. */
export function composeBuilders(
  { direct: dispatch, builds, log }: State,
  runtimeOf: (agentId: string, key?: string) => AgentRuntime,
): (agentId: string, key?: string) => AgentRuntime {
  const read = createReadBuilds(log, builds);
  const history: ReadBuildHistory = (id, until) => read.history(id, until);
  // What stands before the first heading is for programs that look for skills.
  const skill = readFileSync(SKILL, "utf8").replace(/^---\n[^]*?\n---\n+/, "");
  const deps = { dispatch, builds, history, skill };
  return (agentId, key) => createBuildRuntime(runtimeOf(agentId, key), deps);
}

export function composeBuilds(
  { config, report }: ServerOptions,
  parts: ConductorParts & Pick<Shared, "blobs" | "repositories">,
  momentFiles: Endpoint,
  access: HttpAccess,
  directing: AsyncDisposableStack,
): {
  readonly part: Part;
  readonly commands: BuildCommands;
  readonly extension: GatewayExtension;
} {
  const { state, people, blobs, repositories } = parts;
  const { dispatch, builds, approvals, questions, log } = state;
  const { crew, limits } = config;
  const { humanInput } = people;
  const read = createReadBuilds(log, builds);
  const readFiles = createReadBuildFiles(log);
  const answerWait = createAnswerWait({ builds, questions, humanInput });
  const desk = { dispatch, crew, repositories, ids, idOf: uuidOf, answerWait };
  const commands = createBuildCommands(desk);
  const decidePermission = createDecidePermission({ read, approvals, humanInput });
  const head = (): number => log.head;
  const room = openBuildRoom({
    commands,
    builds,
    read,
    readFiles,
    momentFiles,
    decidePermission,
    head,
    approvals,
    readBlob: (digest) => blobs.get(digest),
    access,
    report,
    body: bodyLimitsOf(limits),
    stream: limits,
  });
  const methods = buildMethods<GatewayCaller>(
    { commands, builds, read, readFiles, decidePermission, head },
    ({ member }) => answererOf(member),
  );
  return {
    part: {
      apps: [room.app],
      onBatch: { feed: room.onBatch },
      directs: composeConductor({ config, report }, parts, directing),
      close: () => room.close(),
    },
    commands,
    extension: {
      methods: Object.values(methods),
      connect(egress) {
        room.feed.onEvent(({ text }) => egress.publish(buildChanged, new EncodedJson(text)));
      },
    },
  };
}

type ConductorParts = Pick<Shared, "state" | "director" | "people"> &
  Pick<BuildChecksDeps, "checkBuild">;

function composeConductor(
  { config, report }: Pick<ServerOptions, "config" | "report">,
  { state, director, people, checkBuild }: ConductorParts,
  directing: AsyncDisposableStack,
): NonNullable<Part["directs"]> {
  const { direct: dispatch, builds, approvals, questions } = state;
  const { crew, limits } = config;
  const shared = { dispatch, sleep, report };
  const checks = new BuildChecks({ ...shared, checkBuild });
  const conductor = new BuildDirector({
    ...shared,
    checks,
    builds,
    intake: director.ownIntake,
    runs: director.reports,
    crew,
    deadlines: people.deadlines,
    get silenceMs() {
      return limits.buildSilenceMs;
    },
    now: () => clock.now(),
  });
  const waits = createBuildWaits({ ...shared, builds, approvals, questions });
  directing.defer(() => {
    for (const each of [checks, waits, conductor]) each.close();
  });
  return {
    onBatch: { conductor: conductor.onBatch, waits: waits.onBatch },
    async recover() {
      await waits.recover();
      await conductor.recover();
    },
  };
}

/** A UUID that is made of a name: the same for the same. */
function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ];
  return `${parts.join("-")}-${hex.slice(20, 32)}`;
}
