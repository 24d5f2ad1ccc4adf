/** A build whose check prints something and then waits, in its folder, until a test lets it end. */
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { BuildApi } from "./builds.ts";
import { openShop, type Shop } from "./workshop.ts";

const event = (type: string, payload: object): string =>
  JSON.stringify({ type, payload: { ...payload, source: "agent" } });
const step = (id: string): readonly string[] => [
  event("progress.step.started", { step_id: id }),
  event("progress.step.completed", { step_id: id }),
];
const END = [
  event("progress.step.completed", { step_id: "validate" }),
  ...step("finalize"),
  event("status.changed", { status: "complete", output: "It is good." }),
  event("session.completed", {}),
];
const WHOLE = [
  event("status.changed", { status: "running" }),
  ...["build_record", "parse", "research", "design", "assemble"].flatMap(step),
  event("progress.step.started", { step_id: "validate" }),
  ...END,
];

const say = (lines: readonly string[]): string => `cat <<'END'\n${lines.join("\n")}\nEND`;

/** Wrong at first, right once it has been told what the check said. */
const WORKER = `case "$(cat)" in
  *"not all of them passed"*) echo good > made.txt
${say(END)}
;;
  *) echo bad > made.txt
${say(WHOLE)}
;;
esac`;

const CHECK = `seq 1 30; echo "made: $(cat made.txt)"
while [ ! -e go ]; do sleep 0.05; done
echo over; grep -q good made.txt`;

export interface CheckedBuild extends AsyncDisposable {
  readonly shop: Shop;
  readonly api: BuildApi;
  start(prompt: string): Promise<string>;
  /** Waits for the check that runs now, or next. */
  letGo(): Promise<void>;
}

export async function openCheckedBuild(): Promise<CheckedBuild> {
  const shop = await openShop({
    runtimes: { worker: { type: "command", command: ["/bin/sh", "-c", WORKER] } },
    agents: [{ id: "agent_eng_1", runtime: "worker" }],
    checks: [{ name: "the words", command: ["/bin/sh", "-c", CHECK], required: true }],
  });
  const api = new BuildApi(shop.atrium);
  const worktrees = join(shop.home, "workshop/worktrees");
  const released = new Set<string>();
  return {
    shop,
    api,
    start: (prompt) => api.start(prompt, { agent: "agent_eng_1", repository: "shop" }),
    async letGo() {
      for (;;) {
        const folder = readdirSync(worktrees).find(
          (name) => name.startsWith("check-") && !released.has(name),
        );
        if (folder !== undefined) {
          released.add(folder);
          writeFileSync(join(worktrees, folder, "go"), "");
          return;
        }
        await setTimeout(20);
      }
    },
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}
