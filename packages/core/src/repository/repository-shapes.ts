import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { RepositoryEvent } from "./repository.ts";

export const REPOSITORY_EVENTS: EventDeclarations<RepositoryEvent> = {
  "repository.added": v1({ repositoryId: "string", path: "string", by: "object" }),
  "repository.removed": v1({ repositoryId: "string", by: "object" }),
};
