/** What comes with a command beside its data: who asks, under which key, and what they take for granted. */
import type { Answerer, Guards } from "@atrium/core";
import type { Principal } from "../../../access/principal.ts";
import type { CommandKey } from "./command-key.ts";

export interface CommandContext {
  readonly key: CommandKey;
  readonly by: Answerer;
  /** The connection it came over, as one who looks. */
  readonly viewer: { readonly viewerId: string; readonly name: string };
  readonly principal: Principal;
}

interface WireGuards {
  readonly expected_task_status?: Guards["expectedTaskStatus"];
  readonly expected_project_status?: Guards["expectedProjectStatus"];
  readonly expected_version?: number;
}

export function guardsOf(data: WireGuards): Guards {
  return {
    expectedTaskStatus: data.expected_task_status,
    expectedProjectStatus: data.expected_project_status,
    expectedVersion: data.expected_version,
  };
}
