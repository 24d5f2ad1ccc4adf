/** Which of the models of a model server it is connected with. The page and the command line choose alike. */
export interface FoundModels {
  readonly id: string;
  readonly models: readonly string[];
  /** As it was found; its model is the one that is proposed. */
  readonly runtime?: Readonly<Record<string, unknown>> | undefined;
}

/** The one that the settings have, as long as it is there; else the one that is proposed. */
export function usualModel(
  { id, models, runtime }: FoundModels,
  settings: Readonly<Record<string, unknown>>,
): string | undefined {
  const { runtimes } = settings;
  const set = fieldOf(fieldOf(runtimes, id), "model");
  const model = models.find((each) => each === set) ?? runtime?.["model"];
  return typeof model === "string" ? model : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(name);
}
