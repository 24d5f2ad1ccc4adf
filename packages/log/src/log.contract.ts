/**
 * What every log must do. Each engine's test file calls this once.
 *
 * Assumes nothing an engine need not promise: numbers grow, but may leave gaps.
 */
import { describe } from "node:test";
import { describeErasing } from "./contract/erasing.contract.ts";
import { describeGuards } from "./contract/guards.contract.ts";
import { describeKeys } from "./contract/keys.contract.ts";
import { describeLife, describeRaces } from "./contract/life.contract.ts";
import type { OpenStep } from "./contract/log-steps.ts";
import { describeReading, describeTail } from "./contract/reading.contract.ts";
import { describeChains, describeRefusals, describeWriting } from "./contract/writing.contract.ts";

export function describeLog(name: string, open: OpenStep): void {
  describe(`log contract: ${name}`, () => {
    describeWriting(open);
    describeChains(open);
    describeRefusals(open);
    describeKeys(open);
    describeGuards(open);
    describeReading(open);
    describeTail(open);
    describeRaces(open);
    describeLife(open);
    describeErasing(open);
  });
}
