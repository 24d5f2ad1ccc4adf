/**
 * `npm run protocol:check`: are the committed artifacts what the declarations generate?
 *
 * Writes nothing: it generates in memory, compares, and says which command to run.
 */
import { ARTIFACTS, staleArtifacts } from "./artifacts.ts";
import { readText } from "./files.ts";

const stale = await staleArtifacts(ARTIFACTS, readText);
for (const problem of stale) process.stderr.write(`${problem}\n`);
process.stdout.write(`${ARTIFACTS.length} artifacts, ${stale.length} problems\n`);
process.exitCode = stale.length === 0 ? 0 : 1;
