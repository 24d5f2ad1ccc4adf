/**
 * Model ids: to OpenAI's clients an agent of the crew is a model.
 *
 *   openclaw, openclaw/default          the default agent
 *   openclaw/<agent>, atrium/<agent>    that agent; `openclaw:<agent>` and `agent:<agent>` mean the same
 */
import { DEFAULT_HANDLE, type CrewMember } from "@atrium/core";
import type { Model } from "@atrium/wire/openai";

export interface Target {
  readonly handle: string;
  /** False: the model means the default agent. */
  readonly isNamed: boolean;
}

export const DEFAULT_MODEL = "openclaw";
const DEFAULTS: ReadonlySet<string> = new Set([DEFAULT_MODEL, "openclaw/default"]);
const NAMED = /^(?:openclaw[/:]|atrium\/|agent:)(.+)$/;

export function targetOf(crew: readonly CrewMember[], model: string): Target | undefined {
  const id = model.trim().toLowerCase();
  if (DEFAULTS.has(id)) return { handle: DEFAULT_HANDLE, isNamed: false };
  const name = NAMED.exec(id)?.[1];
  const handle = name === undefined ? undefined : handleNamed(crew, name);
  return handle === undefined ? undefined : { handle, isNamed: true };
}

export function handleNamed(crew: readonly CrewMember[], name: string): string | undefined {
  return crew.find((member) => member.handle === name || member.id === name)?.handle;
}

export function modelsOf(crew: readonly CrewMember[]): readonly Model[] {
  const handles = crew.map(({ handle }) => handle);
  return [
    ...[...DEFAULTS].map((id) => describeModel(id, "openclaw")),
    ...handles.map((handle) => describeModel(`openclaw/${handle}`, "openclaw")),
    ...handles.map((handle) => describeModel(`atrium/${handle}`, "atrium")),
  ];
}

/** Agents have no creation date; the original gateway sends zero, too. */
export function describeModel(id: string, ownedBy: string): Model {
  return { id, object: "model", created: 0, owned_by: ownedBy };
}
