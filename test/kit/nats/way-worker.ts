/**
 * The wires of a way in a thread of their own: while a test computes, what nodes and servers say to each other goes on.
 */
import { parentPort, workerData } from "node:worker_threads";
import { openBreakableWire } from "../breakable-wire.ts";

export type WayCommand = "cut" | "deafen" | "heal";

const wires = await Promise.all((workerData as readonly number[]).map(openBreakableWire));

const COMMANDS: Readonly<Record<WayCommand, () => void>> = {
  cut() {
    for (const wire of wires) {
      wire.isClosed = true;
      wire.cut();
    }
  },
  deafen() {
    for (const wire of wires) wire.isDeaf = true;
  },
  heal() {
    for (const wire of wires) {
      wire.isClosed = false;
      // Half of what was on its way is gone: only a new connection makes sense of the rest.
      if (wire.isDeaf) wire.cut();
      wire.isDeaf = false;
    }
  },
};

parentPort?.on("message", (command: WayCommand) => {
  COMMANDS[command]();
  post(command);
});
post(wires.map(({ port }) => port));

function post(message: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(message);
}
