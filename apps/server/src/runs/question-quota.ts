/** How often an agent may ask people something in one turn: whoever asks more is not helped by another answer. */

const MAX_QUESTIONS = 20;
/** Long-ended runs ask nothing more. */
const MAX_RUNS = 1_000;

/** Whether another question of that run may be asked; counts it. */
export type MayAsk = (runId: string) => boolean;

export function createQuestionQuota(): MayAsk {
  const counts = new Map<string, number>();
  return (runId) => {
    const count = (counts.get(runId) ?? 0) + 1;
    counts.delete(runId);
    counts.set(runId, count);
    const [oldest] = counts.keys();
    if (counts.size > MAX_RUNS && oldest !== undefined) counts.delete(oldest);
    return count <= MAX_QUESTIONS;
  };
}
