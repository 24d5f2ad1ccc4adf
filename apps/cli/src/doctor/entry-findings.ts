/** Entries of the log that the server could not read, and listeners that failed: only where there are any. */
import type { ServerPlace } from "../server/find-server.ts";
import { count } from "../terminal/measures.ts";
import { note, type Finding } from "./finding.ts";

const PATIENCE_MS = 5_000;
const FIGURE = /^(atrium_quarantined_entries|atrium_listener_faults)\{\w+="([^"]*)"\} (\d+)$/gm;

export async function entryFindings({ url, token }: ServerPlace): Promise<Finding[]> {
  const response = await fetch(new URL("/metrics", url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (!response.ok) return [];
  const figures = [...(await response.text()).matchAll(FIGURE)];
  const [entries, faults] = ["atrium_quarantined_entries", "atrium_listener_faults"].map((name) =>
    figures.filter((figure) => figure[1] === name),
  );
  return [
    ...sumUp(entries, (total, by) =>
      note(
        "entries",
        `${count(total, "entry", "entries")} of the log could not be read (${by})`,
        "The server keeps but skips them. atrium.log in the home names each one. A newer version may read them.",
      ),
    ),
    ...sumUp(faults, (total, by) =>
      note(
        "listeners",
        `a part of the server has failed on a log entry ${count(total, "time")} (${by})`,
        "See atrium.log in the home for the cause.",
      ),
    ),
  ];
}

function sumUp(
  figures: readonly RegExpExecArray[] = [],
  find: (total: number, by: string) => Finding,
): Finding[] {
  if (figures.length === 0) return [];
  const total = figures.reduce((sum, figure) => sum + Number(figure[3]), 0);
  return [find(total, figures.map((figure) => `${figure[2]}: ${figure[3]}`).join(", "))];
}
