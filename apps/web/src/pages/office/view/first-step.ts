import type { Snapshot } from "@atrium/client";
import { useOffice, usePreferences, useRoute } from "../../../app/app.ts";

export type FirstStep = "ask" | "connect" | undefined;

/** What whoever is new here does next: asks for something; after a first project of a rehearsing crew, connects a model. */
export function firstStep(snapshot: Snapshot | null): FirstStep {
  if (snapshot === null) return undefined;
  const { projects, agents } = snapshot;
  if (projects.length === 0) return "ask";
  const isDone = projects.some(({ status }) => status === "completed");
  return isDone && isRehearsing(agents) ? "connect" : undefined;
}

/** No model is behind any of the crew. */
export function isRehearsing(agents: Snapshot["agents"]): boolean {
  const crew = agents.filter(({ is_visitor }) => is_visitor !== true);
  return crew.length > 0 && crew.every(({ is_rehearsal }) => is_rehearsal === true);
}

/** Nothing once it was put away, nor while it is done in its panel. */
export function useFirstStep(): FirstStep {
  const { invitation } = usePreferences();
  const { show } = useRoute();
  const step = useOffice(({ snapshot }) => firstStep(snapshot));
  return invitation === "shown" && show !== step ? step : undefined;
}
