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

/** Words, a command that is allowed, one that is denied, and a change or a plan. */
const WORK: Readonly<Record<ProgramName, readonly RecordedTurn[]>> = {
  opencode: work("bash", "write", /^$/),
  gemini: work("echo high > tide.txt", "Writing to moon.txt", /^Done\.$/),
  qwen: work("run_shell_command", "write_file", /^$/),
  copilot: work("Does it", "Creating moon.txt", /^Info: Operation cancelled by user$/),
  "codex-acp": [
    ...work("echo high > tide.txt", "", /^$/).slice(0, 3),
    { answer: "allowed", tools: [], text: /^Done\.$/ },
  ],
};

function work(command: string, change: string, afterDenial: RegExp): readonly RecordedTurn[] {
  return [
    said(/^High tide\.$/),
    { answer: "allowed", tools: [[command, false]], text: /^Done\.$/ },
    { answer: "denied", tools: [[command.replace("high", "low"), true]], text: afterDenial },
    { answer: "allowed", tools: [[change, false]], text: /Done\.$/, shows: /high at noon/ },
  ];
}

for (const [recordings, recorded] of [
  ["recordings", RECORDED],
  ["recordings/work", WORK],
] as const) {
  for (const [program, turns] of Object.entries(recorded)) {
    const name = program as ProgramName;
    describeRecordedTurns(
      `${program} (${recordings})`,
      () => {
        const stage = openRecordedStage(name, {}, recordings);
        return {
          turn: (host) => stage.runtime.start(turnOf("Do it."), host),
          [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
        };
      },
      turns,
    );
  }
}
