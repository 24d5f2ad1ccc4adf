/** How people and programs are shown what was detected. Paths and names of models are chosen by others. */
import { visibleText, type ResultOf } from "@atrium/wire";
import type { agentsDiscover } from "@atrium/wire/gateway";
import type { Detection } from "../../../agents/detection/detector.ts";

export type DetectionView = ResultOf<typeof agentsDiscover>;

export function viewOf({ agentPrograms, modelServers, checkedAtMs }: Detection): DetectionView {
  return {
    agentPrograms: agentPrograms.map(({ path, message, variables, keys, runtime, ...rest }) => ({
      ...rest,
      message: visibleText(message),
      ...(path !== undefined && { path: visibleText(path) }),
      variables: [...variables],
      keys: [...keys],
      ...(runtime && { runtime: { ...runtime } }),
    })),
    modelServers: modelServers.map(({ models, runtime, ...rest }) => ({
      ...rest,
      models: models.map(visibleText),
      ...(runtime && { runtime: { ...runtime } }),
    })),
    checkedAtMs,
  };
}
