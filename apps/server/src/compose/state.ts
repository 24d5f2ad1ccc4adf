/** What is kept, put together: the log, its folds, and dispatch. Part of compose.ts. */
import { hostname } from "node:os";
import { crc32 } from "node:zlib";
import {
  cozyOffice,
  createActivities,
  createApprovals,
  createBuilds,
  createConversations,
  createDevices,
  createDispatch,
  createFloor,
  createErasures,
  createFrontDeskLines,
  createHeartbeats,
  createJoinedSessions,
  createLogins,
  createNodes,
  createOffice,
  createOfficeChatLines,
  createOfficeView,
  createPolls,
  createProjects,
  createQuestions,
  createRepositories,
  createRuns,
  createSpending,
  createAuditTrail,
  createVisitors,
  createWorkspaces,
  findEventProblem,
  openProjections,
  Quarantine,
  readableLog,
  type Dispatch,
  type DispatchDeps,
  type Floor,
  type Projections,
} from "@atrium/core";
import { openMemoryLog, openSqliteLog, type ClusterLog, type Log } from "@atrium/log";
import type { ClusterView } from "../cluster/cluster-view.ts";
import { alone, type Cluster } from "../cluster/cluster.ts";
import { nodeIdentity } from "../cluster/node-identity.ts";
import { NodeWarnings } from "../cluster/node-warnings.ts";
import { openRelay, type Relay } from "../cluster/relay.ts";
import { noTrouble, watchTrouble, type Trouble } from "../cluster/trouble.ts";
import type { Home } from "../platform/home.ts";
import { clock } from "../platform/system-clock.ts";
import { systemTimers } from "../platform/timers.ts";
import { digestSettings } from "../settings/digest-settings.ts";
import type { Config } from "../settings/read-config.ts";
import { isClusterLog, joinCluster } from "./cluster/join-cluster.ts";
import { countAppends, openView } from "./cluster/view.ts";
import type { ServerOptions } from "./parts.ts";

/** What is kept, and the one way to change it. */
export interface State extends Readonly<ReturnType<typeof createFolds>> {
  /** Without what cannot be read. */
  readonly log: Log;
  readonly wholeLog: Log;
  readonly quarantine: Quarantine;
  readonly projections: Projections;
  readonly dispatch: Dispatch;
  readonly floor: Floor;
  readonly office: ReturnType<typeof createOffice>;
  /** Whom it is kept with. */
  readonly cluster: Cluster;
  readonly relay: Relay;
  readonly trouble: Trouble;
  /** What people should know of this node. */
  readonly warnings: NodeWarnings;
  /** The log, where several nodes write it. */
  readonly chain: ClusterLog | undefined;
  /** What is shown of the nodes; undefined where there is one only. */
  readonly view: ClusterView | undefined;
  /** For whoever directs: refused where this node does not hold the lease. */
  readonly direct: Dispatch;
}

export async function openState(
  options: Pick<ServerOptions, "config" | "home" | "report" | "openLog" | "version">,
  url: () => string,
  opened: AsyncDisposableStack,
): Promise<State> {
  const { config, home, report, version } = options;
  const whole = opened.use(await (options.openLog?.() ?? openLog(config, home)));
  const quarantine = new Quarantine(report);
  const floor = createFloor(cozyOffice);
  const folds = createFolds(floor);
  const projections = opened.use(
    await openProjections(whole, Object.values(folds), {
      findProblem: findEventProblem,
      quarantine,
      report,
      checksum,
      createFresh: () => Object.values(createFolds(floor)),
    }),
  );
  const chain = isClusterLog(whole) ? whole : undefined;
  const appends = chain && (await countAppends());
  const { settled } = projections;
  const onBatch: DispatchDeps["onBatch"] = (listener) => projections.onBatch(listener, "dispatch");
  const writing = { log: appends?.over(whole) ?? whole, clock, settled, quarantine };
  const trouble = chain === undefined ? noTrouble : opened.use(watchTrouble(chain, systemTimers));
  const dispatch = createDispatch(chain === undefined ? writing : { ...writing, onBatch, trouble });
  const office = createOffice([floor]);
  const settings = () => digestSettings(config);
  const warnings = new NodeWarnings();
  const log = readableLog(whole);
  const { cluster, direct } =
    chain === undefined
      ? { cluster: alone(), direct: dispatch }
      : await joinCluster(
          { log: chain, dispatch, projections, home, url, version, report, settings, warnings },
          opened,
        );
  opened.use(cluster);
  const relay = opened.use(openRelay(cluster, { log, settled, timers: systemTimers, report }));
  const view = chain && appends && (await openView({ cluster, chain, appends }));
  if (view !== undefined) opened.use(view);
  const kept = { log, wholeLog: whole, chain, view, quarantine, projections, dispatch };
  const shared = { cluster, relay, direct, trouble, warnings };
  return { ...folds, ...kept, ...shared, floor, office };
}

/** What is known of the log; each is made anew when the log is folded anew. */
// oxlint-disable-next-line typescript/explicit-module-boundary-types -- it would name each of them a second time
export function createFolds(floor: Floor) {
  return {
    conversations: createConversations(),
    devices: createDevices(),
    logins: createLogins(),
    runs: createRuns(),
    spending: createSpending(),
    trail: createAuditTrail(),
    nodes: createNodes(),
    approvals: createApprovals(),
    questions: createQuestions(),
    polls: createPolls(),
    officeLines: createOfficeChatLines(),
    frontDeskLines: createFrontDeskLines(),
    heartbeats: createHeartbeats(),
    projects: createProjects(),
    officeView: createOfficeView(floor),
    builds: createBuilds(),
    repositories: createRepositories(),
    activities: createActivities(),
    visitors: createVisitors(),
    joinedSessions: createJoinedSessions(),
    erasures: createErasures(),
    workspaces: createWorkspaces(),
  };
}

/** The machine has one that is ten times as fast as ours. */
const checksum = (text: string): string => crc32(text).toString(16);

async function openLog({ log, nats, node, durability }: Config, home: Home): Promise<Log> {
  if (nats !== undefined) {
    const { openNatsLog } = await import("@atrium/log/nats");
    const identity = nodeIdentity(node, hostname(), () => home.id());
    return openNatsLog({ ...nats, node: identity, copyFile: home.chainFile });
  }
  if (log === "memory") return openMemoryLog();
  return openSqliteLog({ file: home.logFile, durability });
}
