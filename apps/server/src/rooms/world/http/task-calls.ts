/** The tools that were used for one task, for whoever opens it: the same texts that were told when it happened. */
import { refuse } from "@atrium/core";
import { jsonText, type Endpoint } from "../../../http/api.ts";
import { refusal } from "../../../http/problem.ts";
import type { EncodedMessage } from "../translate/translate.ts";
import type { WorldApiDeps } from "./world-api.ts";

type TaskCallsDeps = Pick<WorldApiDeps, "log" | "scenery" | "translate" | "workOn">;

/** The newest are told; a task with more of them is not read to the end by anyone. */
const MAX_CALLS = 1_000;
const MAX_ENTRIES_READ = 4_000;

export function createTaskCalls({ log, scenery, translate, workOn }: TaskCallsDeps): Endpoint {
  return async ({ path: { id = "" } }) => {
    if (scenery.projects.ofTask(id) === undefined) return refusal(refuse("task.missing", id));
    const found: EncodedMessage[] = [];
    for (const stream of workOn(id)) {
      for await (const entry of log.read({ stream, backwards: true, limit: MAX_ENTRIES_READ })) {
        const encoded = translate(entry);
        if (encoded?.channel === "calls") found.push(encoded);
      }
    }
    const newest = found.toSorted((a, b) => a.seq - b.seq).slice(-MAX_CALLS);
    const head = `"epoch":${JSON.stringify(log.epoch)},"seq":${log.head}`;
    const body = `{${head},"messages":[${newest.map(({ text }) => text).join(",")}]}`;
    return jsonText(body);
  };
}
