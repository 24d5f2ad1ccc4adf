/** A double of a server that can be killed: runs a shell script as a guarded program, and says which process that is. */
import { spawnGuarded } from "../process/guarded.ts";

const [script = ""] = process.argv.slice(2);
const { child, stdout } = spawnGuarded("/bin/sh", ["-c", script], {
  cwd: ".",
  env: { PATH: process.env["PATH"] ?? "" },
});
stdout.on("data", (said: Buffer) => process.stdout.write(`${child.pid} ${said.toString("utf8")}`));
