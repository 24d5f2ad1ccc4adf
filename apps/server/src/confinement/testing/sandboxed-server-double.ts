import { shellIn } from "./confinement-stage.ts";
/** A server that has a command running, for a test that kills it: `node … FOLDER`. */
import { openSandbox } from "./sandbox.ts";

const [folder = ""] = process.argv.slice(2);
const shell = shellIn(openSandbox([]), { folder });
await shell("setsid sleep 1000 & nohup sleep 1000 & echo started; sleep 1000", {
  env: { OUTLIVES: folder },
  onOutput: (text) => void process.stdout.write(text),
});
