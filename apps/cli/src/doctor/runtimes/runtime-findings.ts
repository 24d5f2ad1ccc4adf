/**
 * What drives the agents, as the settings have it: each runtime is looked at as far as that costs nothing. No model is
 * asked anything and no turn is run; whatever does not answer soon is said not to.
 */
import { isRecord, type ServerSettings } from "../../server/settings.ts";
import { shortPath } from "../../terminal/measures.ts";
import { broken, note, ok, type Finding } from "../finding.ts";
import { gatewayFinding } from "./gateway-finding.ts";
import { mcpFindings } from "./mcp-findings.ts";
import { modelFinding } from "./model-finding.ts";
import { acpFinding, claudeFinding, codexFinding, commandFinding } from "./program-finding.ts";

/** A runtime of the settings, and where it would run. */
export interface CheckedRuntime {
  /** How its line begins. */
  readonly about: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Then what is not in our environment may still be in the server's. */
  readonly isServerRunning: boolean;
}

type CheckContext = Pick<CheckedRuntime, "env" | "cwd" | "isServerRunning">;

export async function runtimeFindings(
  { runtimes, agents, repositories, file }: ServerSettings,
  around: CheckContext,
): Promise<Finding[]> {
  // The file may be a stranger's: it would say which programs to start, and where to send which key.
  if (file.state === "read" && file.isOfFolder && Object.keys(runtimes).length > 0) {
    const message = `those of ${shortPath(file.path)} were not looked at: the file is of this folder`;
    const advice = `If you trust it: atrium doctor --config ${shortPath(file.path)}`;
    return [note("runtimes", message, advice)];
  }
  const checked = Object.entries(runtimes).flatMap(([name, settings]) =>
    isRecord(settings) ? [{ ...around, about: `runtime ${name}`, settings }] : [],
  );
  return [
    ...(await Promise.all(checked.map((runtime) => examine(runtime)))),
    ...checked.flatMap(({ about, settings }) => mcpFindings(about, settings["mcpServers"], around)),
    ...agents.flatMap((agent) =>
      isRecord(agent)
        ? mcpFindings(`agent ${String(agent["id"])}`, agent["mcpServers"], around)
        : [],
    ),
    ...Object.entries(repositories).flatMap(([id, repository]) =>
      isRecord(repository) ? mcpFindings(`repository ${id}`, repository["mcpServers"], around) : [],
    ),
  ];
}

async function examine(runtime: CheckedRuntime): Promise<Finding> {
  const { about, settings } = runtime;
  switch (settings["type"]) {
    case "rehearsal":
      return ok(about, "rehearsal, built in");
    case "model":
      return modelFinding(runtime);
    case "command":
    case "cline":
      return commandFinding(runtime);
    case "acp":
      return acpFinding(runtime);
    case "claude-code":
      return claudeFinding(runtime);
    case "codex":
      return codexFinding(runtime);
    case "openclaw":
      return gatewayFinding(runtime);
    default:
      return broken(
        about,
        `unknown type ${JSON.stringify(settings["type"])}`,
        "docs/agents.md lists the types.",
      );
  }
}
