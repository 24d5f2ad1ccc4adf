/** Whatever a program prints, or somebody prints in its name. */
import { test } from "node:test";
import * as fc from "fast-check";
import { fuzzedPiece } from "../testing/fuzzed-pieces.ts";
import { feed, producer, told } from "../testing/told-signals.ts";
import { createAgUiSignals } from "./from-ag-ui.ts";
import { createAnthropicSignals } from "./from-anthropic.ts";
import { fromClaudeHook } from "./from-claude-hook.ts";
import { createClaudeStreamSignals } from "./from-claude-stream.ts";
import { createCodexSignals } from "./from-codex.ts";
import { createGeminiSignals } from "./from-gemini.ts";
import { createLanggraphSignals } from "./from-langgraph.ts";
import { createOpenaiSignals } from "./from-openai.ts";
import { createOpenclawSignals } from "./from-openclaw.ts";
import { createOpencodeSignals } from "./from-opencode.ts";

const ADAPTERS = [
  createOpenaiSignals,
  createAnthropicSignals,
  createOpenclawSignals,
  createAgUiSignals,
  createClaudeStreamSignals,
  createCodexSignals,
  createGeminiSignals,
  createLanggraphSignals,
  createOpencodeSignals,
];

test("[SIG-24] [SIG-31] whatever they are fed, adapters tell valid signals or nothing", () => {
  const check = (pieces: readonly unknown[]): void => {
    for (const create of ADAPTERS) feed(create(producer(), "a"), pieces);
    for (const each of pieces) told(fromClaudeHook(each, producer()));
  };
  fc.assert(fc.property(fc.array(fuzzedPiece, { maxLength: 10 }), check), {
    seed: 17,
    numRuns: 2_000,
  });
});
