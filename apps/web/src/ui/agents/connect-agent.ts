/** Has an agent that was found work for the crew: its repository, its key, the settings, and a first turn if one is wanted. */
import { connectPatch, usualModel } from "@atrium/client";
import type { RepositoriesHttp } from "../repositories/repositories-http.ts";
import { presentTerms, wantedTerms, type ConnectTerms } from "./agent-terms.ts";
import type { DetectedAgent } from "./detected-agents.ts";
import { membersIn, type TestTurn } from "./settings-http.ts";
import type { SettingsState } from "./use-settings.ts";

export type ConnectProgress =
  | { readonly state: "open" | "connecting" | "connected" | "asking" }
  | { readonly state: "refused"; readonly why: string }
  | { readonly state: "answered"; readonly turn: TestTurn };

export interface ConnectDeps extends SettingsState {
  readonly repositories: Pick<RepositoriesHttp, "add">;
}

export async function connectAgent(
  { http, settings, change, repositories }: ConnectDeps,
  agent: DetectedAgent,
  terms: ConnectTerms,
  onProgress: (progress: ConnectProgress) => void,
): Promise<void> {
  if (settings?.ok !== true || agent.runtime === undefined) return;
  const refuse = (why: string): void => onProgress({ state: "refused", why });
  const crew = membersIn(settings.value);
  const member = crew.find(({ id }) => id === terms.whom);
  onProgress({ state: "connecting" });
  const path = terms.repository.trim();
  if (path !== "") {
    const added = await repositories.add({ path });
    if (!added.ok) return refuse(added.message);
  }
  const key = terms.key.trim();
  if (key !== "") {
    const kept = await http.keepKey(terms.keyName, key);
    if (!kept.ok) return refuse(kept.message);
  }
  const { id: name, runtime } = agent;
  const present = presentTerms(settings.value, terms.whom);
  const keyed = key === "" ? {} : { keyName: terms.keyName };
  const wanted = wantedTerms(terms, present, runtime);
  const usual = "models" in agent ? usualModel(agent, settings.value.values) : undefined;
  const model = terms.model ?? usual;
  const request = { name, runtime, model, agentId: member?.id, ...wanted, ...keyed };
  const { patch, unitePaths } = connectPatch(request, crew);
  const why = await change(patch, unitePaths);
  if (why !== undefined) return refuse(why);
  if (!terms.isTested) return onProgress({ state: "connected" });
  onProgress({ state: "asking" });
  const answer = await http.takeTestTurn(member?.handle ?? "main");
  if (answer.ok) onProgress({ state: "answered", turn: answer.value });
  else refuse(answer.message);
}
