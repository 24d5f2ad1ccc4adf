/**
 * Who may never import whom, and why: the one table of who knows whom.
 *
 * `from` is matched against the importing file, `never` against what it imports: a package
 * specifier as written, or a relative import as a path from the root. `$1` in `never` is the first
 * group of `from`. Unless a wall holds in tests too, tests, contracts and testing/ may cross it.
 *
 * Each `refused` pair breaks its wall; scripts/check-walls.ts proves that lint says so.
 */
import { posix } from "node:path";
import { LAYERS, type Layers } from "./layers.ts";

export interface Wall {
  readonly from: string;
  readonly never: string;
  readonly because: string;
  readonly holdsInTests: boolean;
  readonly refused: readonly (readonly [file: string, specifier: string])[];
}

const APPS = "(?:server|web|cli|plugin)";

export const WALLS: readonly Wall[] = [
  {
    from: "^apps/server/src/rooms/[^/]+/outbound/",
    never: "^apps/server/src/rooms/[^/]+/inbound/",
    because: "what goes out does not know how commands come in",
    holdsInTests: false,
    refused: [["apps/server/src/rooms/world/outbound/probe.ts", "../inbound/session.ts"]],
  },
  {
    from: "^apps/server/src/listen/",
    never: "^apps/server/src/http/(?!problem\\.ts$)",
    because: "the listener refuses with http/problem.ts and leaves answers to the routes",
    holdsInTests: false,
    refused: [["apps/server/src/listen/probe.ts", "../http/api.ts"]],
  },
  {
    from: "^packages/wire/",
    never: "^@atrium/(?!schema$)",
    because: "wire is what crosses a socket; it knows no one",
    holdsInTests: true,
    refused: [
      ["packages/wire/src/probe.ts", "@atrium/log"],
      ["packages/wire/src/gateway/probe.test.ts", "@atrium/core"],
    ],
  },
  {
    from: "^packages/(?:wire|client)/",
    never: "^(?:node:|ws$)",
    because: "wire and client run in browsers",
    holdsInTests: false,
    refused: [
      ["packages/wire/src/probe.ts", "node:fs"],
      ["packages/client/src/probe.ts", "node:events"],
      ["packages/client/src/probe.ts", "ws"],
    ],
  },
  {
    from: "^(?!packages/schema/)(?:packages|apps)/",
    never: "^typebox(?:/|$)",
    because: "TypeBox is loaded once, as one file: import @atrium/schema",
    holdsInTests: false,
    refused: [
      ["packages/wire/src/probe.ts", "typebox"],
      ["apps/server/src/rooms/probe.ts", "typebox/compile"],
    ],
  },
  {
    from: "^packages/log/",
    never: "^@atrium/",
    because: "the log does not know what its entries mean",
    holdsInTests: true,
    refused: [
      ["packages/log/src/probe.ts", "@atrium/core"],
      ["packages/log/src/probe.contract.ts", "@atrium/wire"],
    ],
  },
  {
    from: "^(?!packages/log/src/nats/|bench/|test/kit/nats/)",
    never: "^(?:@nats-io/|packages/log/src/nats/)",
    because: "a log on this machine loads nothing of NATS",
    holdsInTests: true,
    refused: [
      ["packages/log/src/probe.ts", "@nats-io/transport-node"],
      ["packages/log/src/chain/probe.test.ts", "../nats/index.ts"],
      ["apps/server/src/compose/probe.ts", "@nats-io/jetstream"],
    ],
  },
  {
    from: "^packages/core/",
    never: "^@atrium/wire(?:/|$)",
    because: "the core speaks no protocol",
    holdsInTests: true,
    refused: [
      ["packages/core/src/probe.ts", "@atrium/wire"],
      ["packages/core/src/run/probe.test.ts", "@atrium/wire/gateway"],
    ],
  },
  {
    from: "^packages/core/",
    never: "^(?:node:|ws$)",
    because: "the core is pure: no sockets, files, clock or randomness",
    holdsInTests: false,
    refused: [
      ["packages/core/src/probe.ts", "node:crypto"],
      ["packages/core/src/projections/probe.ts", "ws"],
    ],
  },
  {
    from: "^packages/client/",
    never: "^@atrium/(?!schema$|wire(?:/|$))",
    because: "a client knows the wire and nothing behind it",
    holdsInTests: true,
    refused: [
      ["packages/client/src/probe.ts", "@atrium/core"],
      ["packages/client/src/probe.ts", "@atrium/log"],
    ],
  },
  {
    from: "^apps/plugin/",
    never: "^@atrium/(?!schema$|wire(?:/|$))",
    because: "the plugin runs inside Claude Code and knows the wire and nothing behind it",
    holdsInTests: true,
    refused: [
      ["apps/plugin/src/probe.ts", "@atrium/core"],
      ["apps/plugin/src/probe.test.ts", "@atrium/client"],
    ],
  },
  {
    from: "^apps/server/src/rooms/([^/]+)/",
    never: "^apps/server/src/rooms/(?!$1/)[^/]+/",
    because: "a room never knows another room",
    holdsInTests: true,
    refused: [
      ["apps/server/src/rooms/gateway/probe.ts", "../world/outbound/egress.ts"],
      ["apps/server/src/rooms/build/methods/probe.ts", "../../bridge/inbound/session.ts"],
    ],
  },
  {
    from: "^apps/server/src/rooms/",
    never: "^(?:@atrium/log(?:/|$)|ws$|apps/server/src/listen/)",
    because: "a room is handed its peers and its dispatch; it holds neither sockets nor the log",
    holdsInTests: false,
    refused: [
      ["apps/server/src/rooms/signal/probe.ts", "@atrium/log"],
      ["apps/server/src/rooms/world/probe.ts", "ws"],
      ["apps/server/src/rooms/gateway/probe.ts", "../../listen/connection.ts"],
      ["apps/server/src/rooms/probe.ts", "../listen/connection.ts"],
    ],
  },
  {
    from: "^apps/server/src/agents/",
    never: "^(?:@atrium/log(?:/|$)|ws$|apps/server/src/(?:listen|fanout|rooms/[^/]+)/)",
    because: "a runtime knows its turn and its host, and nothing behind them",
    holdsInTests: false,
    refused: [
      ["apps/server/src/agents/model/probe.ts", "@atrium/log"],
      ["apps/server/src/agents/probe.ts", "../rooms/gateway/room.ts"],
      ["apps/server/src/agents/command/probe.ts", "../../fanout/fanout.ts"],
    ],
  },
  {
    // Claude Code, whose sandbox is its own, is started by its runtime.
    from: "^apps/server/src/(?!confinement/|workspaces/git/|agents/claude-code/)",
    never: "^(?:node:child_process|@lydell/node-pty)$",
    because: "a process for an agent is started by confinement, and git by workspaces",
    holdsInTests: false,
    refused: [
      ["apps/server/src/tools/probe.ts", "node:child_process"],
      ["apps/server/src/agents/model/probe.ts", "node:child_process"],
      ["apps/server/src/agents/process/probe.ts", "node:child_process"],
      ["apps/server/src/workspaces/store/probe.ts", "node:child_process"],
      ["apps/server/src/agents/acp/probe.ts", "@lydell/node-pty"],
      ["apps/server/src/compose/probe.ts", "node:child_process"],
    ],
  },
  {
    from: "^apps/server/src/settings/",
    never: "^(?:@atrium/log(?:/|$)|ws$)",
    because: "settings are read before anything runs",
    holdsInTests: false,
    refused: [["apps/server/src/settings/probe.ts", "@atrium/log"]],
  },
  {
    from: "^apps/([^/]+)/",
    never: `^(?:apps/(?!$1/)|@atrium/(?!$1(?:/|$))${APPS}(?:/|$))`,
    because: "an app never knows another app; they meet on the wire",
    holdsInTests: true,
    refused: [
      ["apps/cli/src/probe.ts", "@atrium/server/compose"],
      ["apps/web/src/probe.ts", "../../server/src/settings/table.ts"],
      ["apps/server/src/probe.test.ts", "../../plugin/src/main.ts"],
    ],
  },
  {
    from: "^apps/cli/",
    never: "^(?:@atrium/(?!client$|wire(?:/|$)|cli(?:/|$))|ws$)",
    because: "the command line is a client like any other: it knows the client and the wire",
    holdsInTests: true,
    refused: [
      ["apps/cli/src/probe.ts", "@atrium/core"],
      ["apps/cli/src/commands/probe.test.ts", "@atrium/log"],
      ["apps/cli/src/probe.ts", "ws"],
    ],
  },
  {
    from: "^apps/web/src/(?:office|floor-plan)/",
    never:
      "^(?:react(?:-dom)?(?:/|$)|@atrium/(?!wire(?:/|$))|apps/web/src/(?!office/|floor-plan/))",
    because: "the office is a function of state and time: it knows no React, no socket, no store",
    holdsInTests: false,
    refused: [
      ["apps/web/src/office/probe.ts", "react"],
      ["apps/web/src/office/people/probe.ts", "@atrium/core"],
      ["apps/web/src/floor-plan/probe.ts", "../lab/made-up-state.ts"],
    ],
  },
  {
    from: "^apps/web/",
    never: "^(?:node:|ws$|@atrium/(?:log|server|schema)(?:/|$))",
    because: "the web client runs in browsers",
    holdsInTests: false,
    refused: [
      ["apps/web/src/probe.ts", "node:fs"],
      ["apps/web/src/probe.ts", "@atrium/log"],
    ],
  },
  {
    from: "^packages/",
    never: `^(?:apps/|@atrium/${APPS}(?:/|$))`,
    because: "packages are under the apps",
    holdsInTests: true,
    refused: [
      ["packages/core/src/probe.ts", "@atrium/server/compose"],
      ["packages/log/src/probe.test.ts", "../../../apps/server/src/settings/table.ts"],
    ],
  },
  {
    from: "^(?!apps/server/src/serve\\.ts$|test/kit/|bench/)",
    never: "^(?:apps/server/src/compose/compose\\.ts$|@atrium/server/compose$)",
    because: "only serve.ts, the test kit and the bench put a whole server together",
    holdsInTests: true,
    refused: [
      ["apps/server/src/runs/probe.ts", "../compose/compose.ts"],
      ["test/e2e/probe.test.ts", "@atrium/server/compose"],
    ],
  },
  {
    from: "^(?:packages/([^/]+)|[^/]+)/",
    never: "^packages/(?!$1/)",
    because: "a package is reached by its name, through its exports",
    holdsInTests: true,
    refused: [
      ["apps/server/src/probe.ts", "../../../packages/log/src/log-memory.ts"],
      ["packages/core/src/probe.ts", "../../log/src/log.ts"],
      ["scripts/probe.ts", "../packages/wire/src/index.ts"],
    ],
  },
  ...LAYERS.flatMap(wallsOf),
  {
    from: "^(?!apps/server/src/workspaces/)",
    never: "^apps/server/src/workspaces/(?!port/|open-workspaces\\.ts$|testing/)",
    because: "workspaces are used through their port; git is not for others",
    holdsInTests: true,
    refused: [
      ["apps/server/src/tools/probe.ts", "../workspaces/git/git.ts"],
      ["apps/server/src/compose/probe.test.ts", "../workspaces/store/store.ts"],
      ["test/faults/probe.test.ts", "../../apps/server/src/workspaces/git/git.ts"],
    ],
  },
];

/** One wall for each folder but the highest: it never imports one that comes after it. */
function wallsOf({ folder, order }: Layers): readonly Wall[] {
  return order.slice(0, -1).map((name, at) => {
    const above = order.slice(at + 1);
    return {
      from: `^${folder}/${name}/`,
      never: `^${folder}/(?:${above.join("|")})/`,
      because: `${name} is below ${above.join(", ")} (scripts/lint/layers.ts)`,
      holdsInTests: false,
      refused: [[`${folder}/${name}/probe.ts`, `../${above[0]}/probe.ts`]],
    };
  });
}

const TEST_FILE = /\.(?:test|contract)\.ts$|(?:^|\/)testing\/|^test\//;

/** The first wall that this import breaks. Paths are relative to the root, with forward slashes. */
export function brokenWall(file: string, specifier: string): Wall | undefined {
  const target = specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : specifier;
  const isTest = TEST_FILE.test(file);
  return WALLS.find((wall) => {
    if (isTest && !wall.holdsInTests) return false;
    const from = new RegExp(wall.from).exec(file);
    return from !== null && new RegExp(wall.never.replaceAll("$1", from[1] ?? "")).test(target);
  });
}
