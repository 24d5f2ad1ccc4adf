/**
 * What the server found when it tried to escape from its sandbox. Written when it differs from the last
 * time, so that the log says since when commands were, or were not, confined.
 */
import { createCodec } from "../engine/codec.ts";
import type { Aggregate } from "../engine/dispatch.ts";
import { accept } from "../engine/refusal.ts";
import { SANDBOX_EVENTS } from "./sandbox-shapes.ts";

export interface SandboxReport {
  readonly mode: string;
  /** Why commands are not confined; null when they are. */
  readonly problem: string | null;
  readonly attempts: readonly {
    readonly name: string;
    readonly outcome: string;
    readonly detail: string;
  }[];
}

export interface RecordSandbox extends SandboxReport {
  readonly type: "record";
}

export interface SandboxTested extends SandboxReport {
  readonly type: "sandbox.tested";
}

type LastReport = SandboxReport | null;

/** The one sandbox that a server has. */
export const SANDBOX = "commands";

export const sandbox: Aggregate<LastReport, RecordSandbox, SandboxTested> = {
  name: "sandbox",
  onlyId: SANDBOX,
  initial: null,
  decide: (last, { mode, problem, attempts }) => {
    const report = { mode, problem, attempts };
    const isKnown = JSON.stringify(last) === JSON.stringify(report);
    return accept(isKnown ? [] : [{ type: "sandbox.tested", ...report }]);
  },
  evolve: (_last, { mode, problem, attempts }) => ({ mode, problem, attempts }),
  ...createCodec<SandboxTested>(SANDBOX_EVENTS),
};
