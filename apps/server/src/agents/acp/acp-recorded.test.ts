/** The programs that speak ACP, as they were recorded. */
import { describeRecordedTurns, type RecordedTurn } from "../testing/recorded-turns.contract.ts";
import { turnOf } from "../testing/turns.ts";
import type { AcpSettings } from "./acp-settings.ts";
import { openRecordedStage } from "./testing/recorded-stage.ts";

type ProgramName = NonNullable<AcpSettings["program"]>;

const ANY = /^/;
const said = (text: RegExp): RecordedTurn => ({ answer: "denied", tools: [], text });

/** A talk, a command that is allowed, one that is denied and what came after it. */
const RECORDED: Readonly<Record<ProgramName, readonly RecordedTurn[]>> = {
  opencode: [
    said(/^ECHO: hello there$/),
    { answer: "allowed", tools: [["bash", false]], text: /^DONE: ok/ },
  ],
  gemini: [
    said(/^ECHO: hello there$/),
    { answer: "allowed", tools: [["touch sh.txt && echo ok", false]], text: /^DONE: / },
    { answer: "denied", tools: [["touch sh.txt && echo ok", true]], text: /^Then not\.$/ },
  ],
  qwen: [said(/^ECHO: /), { answer: "allowed", tools: [["run_shell_command", false]], text: ANY }],
  copilot: [said(/^ECHO: /), { answer: "allowed", tools: [["make", false]], text: ANY }],
  "codex-acp": [
    said(/ECHO: hello there$/),
    { answer: "allowed", tools: [["touch sh.txt && echo ok", false]], text: ANY },
    { answer: "denied", tools: [["touch sh.txt && echo ok", true]], text: ANY },
  ],
};

for (const [program, turns] of Object.entries(RECORDED)) {
  const name = program as ProgramName;
  describeRecordedTurns(
    program,
    () => {
      const stage = openRecordedStage(name);
      return {
        turn: (host) => stage.runtime.start(turnOf("Do it."), host),
        [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
      };
    },
    turns,
  );
}
