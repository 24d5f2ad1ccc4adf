/**
 * A headless Claude Code that does what the real one did when it was recorded: it says the recorded lines as soon as it is
 * told what it was told then, for a client whose requests have other ids, in another folder.
 *
 *   node recorded-claude-double.ts RECORDING [any arguments]
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

interface Line {
  readonly type?: string;
  readonly request_id?: string;
  readonly response?: { readonly request_id?: string; readonly response?: unknown };
}

const [, , recording = ""] = process.argv;
const text = readFileSync(recording, "utf8").replaceAll("/home/dev/project", process.cwd());
const lines = text
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { readonly to?: Line; readonly from?: Line });
const ids = new Map<string, string>();
let at = 0;

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line) as Line;
  const expected = lines[at]?.to;
  const answer = JSON.stringify(message.response?.response);
  if (expected?.type !== message.type || answer !== JSON.stringify(expected?.response?.response)) {
    process.stderr.write(`expected ${JSON.stringify(expected)}, received ${line}\n`);
    process.exit(9);
  }
  ids.set(expected?.request_id ?? "", message.request_id ?? "");
  at++;
  play();
});

/** Says what comes next, up to what it has to be told first. */
function play(): void {
  for (let next = lines[at]?.from; next !== undefined; next = lines[at]?.from) {
    at++;
    const id = ids.get(next.response?.request_id ?? "");
    const said =
      id === undefined ? next : { ...next, response: { ...next.response, request_id: id } };
    process.stdout.write(`${JSON.stringify(said)}\n`);
  }
}
