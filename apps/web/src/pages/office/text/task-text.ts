/** How a task stands, as a color. Pure. */
import type { WorldTask } from "@atrium/wire/world";
import type { ChipTone } from "../../../ui/controls.tsx";

const TONES: Partial<Record<WorldTask["status"], ChipTone>> = {
  blocked: "asks",
  done: "good",
  failed: "bad",
};

export function taskTone(status: WorldTask["status"]): ChipTone {
  return TONES[status];
}
