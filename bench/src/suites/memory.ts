/**
 * What does a peer that is connected and says nothing cost in memory?
 *
 * Resident memory with so many peers, less what the server had before the first, per peer. Servers are
 * started anew for each repetition and nobody forces a collection: it is what `top` would show.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { interleave, type Lane } from "../measure/interleave.ts";
import { residentBytes } from "../measure/process-stat.ts";
import { compare, type Suite } from "../report/finding.ts";
import { startAtrium } from "../servers/atrium.ts";
import { startBareWs } from "../servers/bare-ws.ts";
import { startSocketIo } from "../servers/socket-io.ts";
import { joinMany, type Target } from "../servers/target.ts";

const REPETITIONS = 3;
const SOME = 1_000;
const MANY = 5_000;
const SETTLE_MS = 1_000;

interface PerPeer {
  readonly some: number;
  readonly many: number;
}

export const memory: Suite = {
  name: "memory",
  question: "What does an idle peer cost in memory?",
  async run() {
    const lanes = [
      memoryLane("Atrium", () => startAtrium("sqlite")),
      memoryLane("bare ws", () => startBareWs()),
      memoryLane("socket.io with recovery", startSocketIo),
    ];
    const samples = await interleave(lanes, { repetitions: REPETITIONS, warmUp: false });
    const findings = [
      { against: "bare ws", goal: "≤ 0.8" },
      { against: "socket.io with recovery", goal: "≤ 0.35" },
    ].flatMap(({ against, goal }) => {
      const pair = { ours: "Atrium", against, measure: "KB/connection" };
      return [
        compare(samples, { ...pair, what: "1,000 idle peers", value: ({ some }) => some }),
        compare(samples, { ...pair, what: "5,000 idle peers", value: ({ many }) => many, goal }),
      ];
    });
    return { findings, notes: [] };
  },
};

export function memoryLane(name: string, start: () => Promise<Target>): Lane<PerPeer> {
  return {
    name,
    async measure() {
      await using target = await start();
      await sleep(SETTLE_MS);
      const before = residentBytes(target.pid);
      const perPeer = async (count: number): Promise<number> => {
        await sleep(SETTLE_MS);
        return (residentBytes(target.pid) - before) / count / 1024;
      };
      const sockets = await joinMany(target, SOME);
      try {
        const some = await perPeer(SOME);
        sockets.push(...(await joinMany(target, MANY - SOME)));
        return { some, many: await perPeer(MANY) };
      } finally {
        for (const socket of sockets) socket.close();
      }
    },
  };
}
