/** `atrium doctor`: what works, and what to do about what does not. */
import { EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import type { Environment } from "../command-line/environment.ts";
import { SERVER_OPTIONS } from "../command-line/read-args.ts";
import { broken, ok, type Finding } from "../doctor/finding.ts";
import { homeFindings, settingsFinding } from "../doctor/home-findings.ts";
import { portFinding } from "../doctor/port-finding.ts";
import { runtimeFindings } from "../doctor/runtimes/runtime-findings.ts";
import { serverFindings } from "../doctor/server-findings.ts";
import { explainNotRunning, lookForServer, type ServerLocation } from "../server/find-server.ts";
import { columns } from "../terminal/columns.ts";
import { count } from "../terminal/measures.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainText } from "../terminal/plain-text.ts";

const NODE_WANTED = 26;

export const doctor = command({
  name: "doctor",
  calls: [["doctor", "check the installation and suggest fixes"]],
  options: { json: { type: "boolean", help: "print JSON" }, ...SERVER_OPTIONS },
  examples: ["atrium doctor --home ~/.atrium"],
  async run({ values }, environment) {
    const { terminal } = environment;
    const findings = await examine(await lookForServer(values, environment), environment);
    const isWell = findings.every(({ state }) => state !== "broken");
    const rows = findings.map(({ message, ...rest }) => ({ ...rest, says: message }));
    terminal.out(
      values.json === true
        ? `${JSON.stringify({ ok: isWell, findings: rows })}\n`
        : renderFindings(findings, terminal.paint),
    );
    return isWell ? EXIT.ok : EXIT.failed;
  },
});

async function examine(
  found: ServerLocation,
  { now, env, cwd }: Pick<Environment, "now" | "env" | "cwd">,
): Promise<readonly Finding[]> {
  const { settings } = found;
  const machine = [nodeFinding(process.versions.node), settingsFinding(settings)];
  switch (found.state) {
    case "named":
      // Named by its address, so what is in a home folder here says nothing about it.
      return [...machine, ...(await serverFindings(found.place, now))];
    case "running":
      return [
        ...machine,
        ...homeFindings(settings, { holder: found.holder, isAlive: true }, now()),
        await portFinding(settings, found.place),
        ...(await serverFindings(found.place, now)),
        ...(await runtimeFindings(settings, { env, cwd, isServerRunning: true })),
      ];
    case "not running": {
      const { message, advice } = explainNotRunning(found);
      const { holder } = found;
      const holding = holder && { holder, isAlive: false };
      return [
        ...machine,
        ...homeFindings(settings, holding, now()),
        await portFinding(settings, undefined, holder),
        broken("server", message, advice),
        ...(await runtimeFindings(settings, { env, cwd, isServerRunning: false })),
      ];
    }
  }
}

function nodeFinding(version: string): Finding {
  if (Number.parseInt(version, 10) >= NODE_WANTED) return ok("node", version);
  const message = `${version} is too old: ${NODE_WANTED} or newer is needed`;
  return broken("node", message, "Use the Node that npm installs: npm run atrium -- doctor");
}

function renderFindings(findings: readonly Finding[], paint: Paint): string {
  const marks: Readonly<Record<Finding["state"], string>> = {
    ok: paint.good("ok"),
    note: paint.doubtful("note"),
    broken: paint.bad("broken"),
  };
  const rows = findings.flatMap(({ about, state, message, advice }) => [
    [marks[state], about, plainText(message)],
    ...(advice === undefined ? [] : [["", "", paint.quiet(`→ ${advice}`)]]),
  ]);
  const wrong = findings.filter(({ state }) => state === "broken").length;
  const verdict =
    wrong === 0
      ? paint.good("Everything works.")
      : paint.bad(`${count(wrong, "check", "checks")} failed.`);
  return `${columns(rows)}\n${verdict}\n`;
}
