/** What a check of an agent's work has printed: so far while it runs, all of it afterwards. */
import { fetchOwn } from "./own-server.ts";

/** Null: it cannot be read. */
export async function readCheckOutput(checkId: string): Promise<string | null> {
  try {
    const answer = await fetchOwn(`/api/checks/${encodeURIComponent(checkId)}/output`);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
