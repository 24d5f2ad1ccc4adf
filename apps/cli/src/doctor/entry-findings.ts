/** Entries of the log that the server left out, and listeners that failed: only where there are any. */
import type { ServerPlace } from "../server/find-server.ts";
import { count } from "../terminal/measures.ts";
import { note, type Finding } from "./finding.ts";

const TIMEOUT_MS = 5_000;
const FIGURE = /^(atrium_\w+)\{\w+="([^"]*)"\} (\d+)$/gm;

/** By the figure's name: what it says when there are any, and what to do. */
const FINDINGS: readonly (readonly [string, (total: number, by: string) => Finding])[] = [
  [
    "atrium_quarantined_entries",
    (total, by) =>
      note(
        "damaged entries",
        `${count(total, "entry", "entries")} of the log could not be read (${by})`,
        "The server keeps but skips them. atrium.log in the home names each one.",
      ),
  ],
  [
    "atrium_unknown_entries",
    (total, by) =>
      note(
        "unknown entries",
        `${count(total, "entry", "entries")} of the log of a type or version unknown to this server (${by})`,
        "A newer server wrote them. This one keeps but skips them, and suspends the devices they are about. Start the newer one again.",
      ),
  ],
  [
    "atrium_listener_faults",
    (total, by) =>
      note(
        "listeners",
        `a part of the server has failed on a log entry ${count(total, "time")} (${by})`,
        "See atrium.log in the home for the cause.",
      ),
  ],
];

export async function entryFindings({ url, token }: ServerPlace): Promise<Finding[]> {
  const response = await fetch(new URL("/metrics", url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) return [];
  const figures = Map.groupBy((await response.text()).matchAll(FIGURE), (figure) => figure[1]);
  return FINDINGS.flatMap(([name, find]) => {
    const found = figures.get(name);
    if (found === undefined) return [];
    const total = found.reduce((sum, figure) => sum + Number(figure[3]), 0);
    return [find(total, found.map((figure) => `${figure[2]}: ${figure[3]}`).join(", "))];
  });
}
