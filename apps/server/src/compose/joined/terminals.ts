/** Sessions that people take into their terminals, put together. Part of compose.ts. */
import { join } from "node:path";
import { refuse, resolveKey, workspaceIdOfKey } from "@atrium/core";
import { processSpace } from "../../agents/terminal/process-space.ts";
import { takeAnywhere, type TakeAnywhereDeps } from "../../agents/terminal/take-anywhere.ts";
import { Terminals } from "../../agents/terminal/terminals.ts";
import type { Relay } from "../../cluster/relay.ts";
import { identityOf } from "../../confinement/process-tree.ts";
import type { Home } from "../../platform/home.ts";
import { clock, ids } from "../../platform/system-clock.ts";
import { systemTimers } from "../../platform/timers.ts";
import type { GatewayExtension } from "../../rooms/gateway/extension.ts";
import type { GatewayCaller } from "../../rooms/gateway/frames/peer.ts";
import { takeTerminalMethod } from "../../rooms/machine/inbound/terminal-methods.ts";
import type { MessageIntake } from "../../runs/message-intake.ts";
import type { TurnClocks } from "../../runs/turn-clocks.ts";
import type { Config } from "../../settings/read-config.ts";

export interface OpenTerminals {
  readonly terminals: Terminals;
  readonly extension: GatewayExtension;
}

interface TerminalOptions {
  readonly config: Pick<Config, "crew">;
  readonly home: Pick<Home, "folder">;
}

interface TerminalNeeds extends Pick<TakeAnywhereDeps, "cluster"> {
  readonly relay: Pick<Relay, "atDirector">;
  readonly clocks: Pick<TurnClocks, "hold">;
  readonly intake: () => MessageIntake;
}

const TEXT = "I take this session into my terminal.";
const FROM = { clientId: "atrium", clientMode: "cli", name: null } as const;

export function composeTerminals(
  { config, home }: TerminalOptions,
  { cluster, relay, clocks, intake }: TerminalNeeds,
  opened: DisposableStack | AsyncDisposableStack,
): OpenTerminals {
  const keyOf = (target: string) => resolveKey(config.crew, target);
  const terminals = new Terminals({
    folder: join(home.folder, "terminals"),
    identityOf: process.platform === "linux" ? identityOf : isProcess,
    timers: systemTimers,
    newId: () => ids.next(),
    now: () => clock.now(),
    holdClock: clocks.hold,
    keyOf: (target) => {
      const key = keyOf(target);
      return key.ok ? key.value.text : undefined;
    },
    async beginTurn(target, runId) {
      const key = keyOf(target);
      if (!key.ok) return refuse("run.missing", target);
      if (workspaceIdOfKey(key.value.text) !== undefined) return refuse("run.settled", IDLE_WORK);
      const message = { key: key.value, runId, text: TEXT, from: FROM, isPlain: true };
      return intake().send({ ...message, mode: "followup" });
    },
    stopTurn: (target, runId) => {
      const key = keyOf(target);
      return intake().stop(key.ok ? key.value.text : target, runId, "it could not begin in time");
    },
  });
  opened.defer(() => terminals[Symbol.dispose]());
  const { atDirector } = relay;
  const take = takeAnywhere(terminals, { cluster, atDirector, space: processSpace() });
  const methods = [takeTerminalMethod<GatewayCaller>({ take })];
  return { terminals, extension: { methods, connect: () => undefined } };
}

const IDLE_WORK = "nobody works on it right now";

function isProcess(pid: number): string | undefined {
  try {
    process.kill(pid, 0);
    return String(pid);
  } catch {
    return undefined;
  }
}
