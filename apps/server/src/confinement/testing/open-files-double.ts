/** A server whose command tells which files it has open: `node … FOLDER`. */
import { shellIn } from "./confinement-stage.ts";
import { openSandbox } from "./sandbox.ts";

const [folder = ""] = process.argv.slice(2);
const { output } = await shellIn(openSandbox([]), { folder })("ls -l /proc/$$/fd");
process.stdout.write(output.text);
