/** Whether the server confines the commands of agents: it has tried the ways out, and tells. */
import type { ServerPlace } from "../server/find-server.ts";
import { isRecord } from "../server/settings.ts";
import { count } from "../terminal/measures.ts";
import { note, ok, type Finding } from "./finding.ts";

/** The first who asks waits until they have been tried. */
const TIMEOUT_MS = 40_000;

export async function sandboxFindings({ url, token }: ServerPlace): Promise<Finding[]> {
  const response = await fetch(new URL("/api/confinement", url), {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // A server of an earlier version.
  if (!response.ok) return [];
  const report: unknown = await response.json();
  if (!isRecord(report)) return [];
  const { mode, problem, attempts } = report;
  if (typeof problem === "string") {
    return [
      note(
        "sandbox",
        `commands of agents run without one: ${problem}`,
        "People are asked about every command. docs/confinement.md says what a sandbox needs.",
      ),
    ];
  }
  const tried = Array.isArray(attempts) ? attempts.filter(isRecord) : [];
  const refused = tried.filter(({ outcome }) => outcome === "refused").length;
  const untried = tried.filter(({ outcome }) => outcome === "untried").map(({ name }) => name);
  const rest = untried.length === 0 ? "" : `; could not try: ${untried.join(", ")}`;
  return [ok("sandbox", `${String(mode)}; ${count(refused, "escape")} tried and refused${rest}`)];
}
