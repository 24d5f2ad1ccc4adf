/** On which terms they work for whom an agent is connected, before it is: what the form shows, and what it changes. Pure. */
import type { ConnectRequest } from "@atrium/client";
import { budgetIn, membersIn, type RunLimits, type SettingsView } from "./settings-http.ts";

export const PERMISSIONS = ["sandbox", "edit", "ask"] as const;
export type Permissions = (typeof PERMISSIONS)[number];

export const EVERYONE = "";

/** As they are filled in; empty: not wanted. */
export interface ConnectTerms {
  readonly whom: string;
  /** Of a model server; undefined: the usual one. */
  readonly model: string | undefined;
  /** Undefined: as it is now, and so are the limits. */
  readonly permissions: Permissions | undefined;
  /** A folder on the server's computer. */
  readonly repository: string;
  readonly runCost: string | undefined;
  readonly runTokens: string | undefined;
  readonly keyName: string;
  readonly key: string;
  readonly isTested: boolean;
}

export interface PresentTerms {
  /** Undefined: not the same for all of them. */
  readonly permissions: Permissions | undefined;
  /** As the settings have them, of each; undefined: what is usual for its runtime. */
  readonly given: readonly (string | undefined)[];
  readonly runCost: string;
  readonly runTokens: string;
}

const USUAL: Permissions = "sandbox";

export function presentTerms(settings: SettingsView, whom: string): PresentTerms {
  const crew = membersIn(settings);
  const meant = whom === EVERYONE ? crew : crew.filter(({ id }) => id === whom);
  const shown = new Set(meant.map(({ permissions }) => permissions || USUAL));
  const [first = USUAL, ...others] = shown;
  return {
    permissions: others.length > 0 ? undefined : PERMISSIONS.find((each) => each === first),
    given: meant.map(({ permissions }) => permissions || undefined),
    ...shownLimits(whom === EVERYONE ? budgetIn(settings) : meant[0]?.run),
  };
}

function shownLimits(run: RunLimits | undefined): Pick<PresentTerms, "runCost" | "runTokens"> {
  return { runCost: String(run?.cost ?? ""), runTokens: String(run?.tokens ?? "") };
}

/** What is as it was stays unwritten. A program without permissions follows what its runtime says. */
export function wantedTerms(
  { permissions, runCost, runTokens }: ConnectTerms,
  present: PresentTerms,
  runtime: ConnectRequest["runtime"],
): Pick<ConnectRequest, "permissions" | "runCost" | "runTokens"> {
  const usual = runtime["type"] === "model" ? USUAL : undefined;
  const chosen = permissions ?? present.permissions;
  const isSo = present.given.every((given) => (given ?? usual) === chosen);
  return {
    ...(chosen !== undefined && !isSo && { permissions: chosen }),
    ...(isChanged(runCost, present.runCost) && { runCost: limitOf(runCost) }),
    ...(isChanged(runTokens, present.runTokens) && { runTokens: limitOf(runTokens) }),
  };
}

function isChanged(wanted: string | undefined, present: string): wanted is string {
  return wanted !== undefined && wanted !== present;
}

function limitOf(text: string): number | null {
  return text === "" ? null : Number(text);
}
