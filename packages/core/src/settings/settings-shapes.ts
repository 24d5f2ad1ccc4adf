import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { SettingsEvent } from "./settings.ts";

export const SETTINGS_EVENTS: EventDeclarations<SettingsEvent> = {
  "settings.changed": v1({
    changeId: "string",
    changes: "array",
    by: "object",
    before: "string?",
    after: "string",
  }),
  "settings.reverted": v1({ changeId: "string", reason: "string" }),
  "settings.found": v1({ digest: "string?" }),
  "settings.key_kept": v1({ name: "string", by: "object" }),
  "settings.key_removed": v1({ name: "string", by: "object" }),
};
