/** The plan that waits for people to start it: its lines hang above the meeting table until work begins. Pure. */
import type { WorldTask } from "@atrium/wire/world";
import type { SceneManifest, ScenePoi } from "./scene-manifest.ts";

export interface OpenPlan {
  readonly lines: readonly string[];
  readonly table: ScenePoi;
}

const MAX_LINES = 5;
const MAX_LINE_CHARACTERS = 44;

/** Of several the newest, which is the one whose tasks come last. */
export function openPlan(
  { pois }: Pick<SceneManifest, "pois">,
  tasks: readonly Pick<WorldTask, "project_id" | "status" | "title">[],
): OpenPlan | undefined {
  const table = pois.find(({ kind }) => kind === "meeting_table");
  const plan = [...Map.groupBy(tasks, (task) => task.project_id).values()].findLast((planned) =>
    planned.every(({ status }) => status === "planned"),
  );
  if (table === undefined || plan === undefined) return undefined;
  const titles = plan.map(({ title }, at) => `${at + 1}  ${shorten(title)}`);
  const lines =
    titles.length <= MAX_LINES
      ? titles
      : [...titles.slice(0, MAX_LINES - 1), `+${titles.length - MAX_LINES + 1}`];
  return { lines, table };
}

function shorten(title: string): string {
  const signs = Array.from(title);
  return signs.length <= MAX_LINE_CHARACTERS
    ? title
    : `${signs
        .slice(0, MAX_LINE_CHARACTERS - 1)
        .join("")
        .trimEnd()}…`;
}
