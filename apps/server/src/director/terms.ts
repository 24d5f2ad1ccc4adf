/** On which terms an agent works: what it may use, what it may spend, and how long a turn may take. */
import type { Toolbox } from "../tools/toolbox.ts";
import type { Budgets } from "./brakes.ts";

export interface Terms {
  readonly tools: Toolbox;
  readonly budgets: Budgets;
  readonly timeoutMs: number;
}

export type TermsOf = (agentId: string) => Terms;
