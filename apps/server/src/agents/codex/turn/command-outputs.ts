/** What the commands of Codex put out while they run, for people who watch; the result of each has it once more, whole. */
import type { Timers } from "../../../platform/timers.ts";
import { LiveOutput } from "../../process/live-output.ts";
import type { TurnEvent } from "../../turn/agent-runtime.ts";
import { fieldsOf, textIn, type Fields } from "../../turn/json-fields.ts";

export interface CommandOutputs extends Disposable {
  read(method: string, params: Fields): void;
}

interface CommandOutputDeps {
  readonly timers: Timers;
  readonly secrets: () => readonly string[];
  readonly push: (event: TurnEvent) => void;
}

export function createCommandOutputs({ push, ...deps }: CommandOutputDeps): CommandOutputs {
  const running = new Map<string, LiveOutput>();
  return {
    read(method, params) {
      const item = fieldsOf(params["item"]);
      const id = textIn(item, "id") ?? textIn(params, "itemId") ?? "";
      if (method === "item/started" && item["type"] === "commandExecution") {
        const publish = (text: string): void => push({ type: "tool.output", id, text });
        running.set(id, new LiveOutput({ ...deps, publish }));
      } else if (method === "item/commandExecution/outputDelta") {
        running.get(id)?.add(textIn(params, "delta") ?? "");
      } else if (method === "item/completed") {
        running.get(id)?.end();
        running.delete(id);
      }
    },
    [Symbol.dispose]() {
      for (const output of running.values()) output.end();
      running.clear();
    },
  };
}
