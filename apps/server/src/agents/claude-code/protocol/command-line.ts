/** What Claude Code is started with. Nothing secret is on it: other users of the machine can read it. */
import type { McpServerSettings } from "../../settings/mcp-server-settings.ts";
import { SKILL_PLUGIN } from "../../skills/skill-plugin.ts";
import type { Launch } from "./claude-process.ts";
import { sandboxSettings } from "./sandbox-settings.ts";

/** The name Claude Code knows our tools by: `mcp__atrium__lookup`. */
export const TOOL_SERVER = "atrium";

/** Longer than anyone may be asked for. */
const MAX_CALL_MS = 8 * 24 * 60 * 60_000;

const HEADLESS = [
  "--print",
  "--input-format=stream-json",
  "--output-format=stream-json",
  "--include-partial-messages",
  "--permission-prompt-tool=stdio",
  // So that it tells when it has taken in what was added.
  "--replay-user-messages",
  "--verbose",
];

export function headlessArgs(launch: Launch): string[] {
  return [...HEADLESS, ...terminalArgs(launch)];
}

/** For a person's terminal. */
export function terminalArgs(launch: Launch): string[] {
  const { confinement } = launch;
  const settings =
    confinement === undefined ? [] : [`--settings=${JSON.stringify(sandboxSettings(confinement))}`];
  return [...settings, ...commonArgs(launch)];
}

/** `settingsFile` has the hooks, whose addresses are secret. */
export function interactiveArgs(
  launch: Launch,
  settingsFile: string,
  isChannel: boolean,
): string[] {
  return [
    // Takes every word that follows and is no flag.
    ...(isChannel ? ["--dangerously-load-development-channels", `server:${TOOL_SERVER}`] : []),
    `--settings=${settingsFile}`,
    ...commonArgs(launch),
  ];
}

function commonArgs(launch: Launch): string[] {
  const { claudeSession, isResumed, model, effort, instructions } = launch;
  return [
    `${isResumed ? "--resume" : "--session-id"}=${claudeSession}`,
    `--permission-mode=${permissionModeOf(launch)}`,
    // What is in a workspace may be an agent's: hooks and rules in there are not for us to run.
    ...(launch.confinement === undefined ? [] : ["--setting-sources=user"]),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(effort === undefined ? [] : [`--effort=${effort}`]),
    ...(instructions === "" ? [] : [`--append-system-prompt=${instructions}`]),
    `--mcp-config=${JSON.stringify({ mcpServers: serversFor(launch) })}`,
    // A folder's own are a setting of the folder, and in a workspace those are not read.
    ...(launch.ownSettings === true ? [] : ["--strict-mcp-config"]),
    ...(launch.skills === undefined ? [] : [`--plugin-dir=${launch.skills.pluginFolder}`]),
    ...allowedTools(launch),
    ...launch.extraArgs,
  ];
}

/** In any mode but `manual`, Claude Code decides by rules of its own; what a preset allows is ours to decide. */
function permissionModeOf({ permissionMode, confinement }: Launch): string {
  const isManual = confinement?.preset !== undefined && permissionMode !== "plan";
  return isManual ? "manual" : permissionMode;
}

/** Whether one of our own tools may run is decided where it runs, not twice. Skills are the settings', so they may be read. */
function allowedTools({ toolServer, skills }: Launch): string[] {
  const own = toolServer === undefined ? [] : [`mcp__${TOOL_SERVER}`];
  const read = (skills?.list ?? []).flatMap(({ name, folder }) => [
    `Skill(${SKILL_PLUGIN}:${name})`,
    // A path from the root has two slashes there. One that has such marks would be read as several rules.
    ...(/[,()]/.test(folder) ? [] : [`Read(/${folder}/**)`]),
  ]);
  const allowed = [...own, ...read];
  return allowed.length === 0 ? [] : [`--allowedTools=${allowed.join(",")}`];
}

function serversFor(launch: Launch): object {
  const named = Object.entries(launch.mcpServers ?? {});
  const configured = named.map(([name, server]) => [name, serverConfig(server)] as const);
  return { ...Object.fromEntries(configured), ...toolServers(launch) };
}

function serverConfig(server: McpServerSettings): object {
  if ("url" in server) {
    const headers = Object.entries(server.headersEnv ?? {}).map(
      ([header, name]) => [header, reference(name)] as const,
    );
    return { type: "http", url: server.url, headers: Object.fromEntries(headers) };
  }
  const { command, args = [], env = [] } = server;
  const given = env.map((name) => [name, reference(name)] as const);
  return { type: "stdio", command, args, env: Object.fromEntries(given) };
}

/** Claude Code puts the value in, so that it is not on its command line. */
function reference(variable: string): string {
  return `\${${variable}}`;
}

function toolServers({ toolServer, env }: Launch): object {
  if (toolServer === undefined) return {};
  const [command, ...args] = toolServer;
  const own = Object.keys(env).filter((name) => name.startsWith("SYNTHESIS_"));
  return {
    [TOOL_SERVER]: {
      type: "stdio",
      command,
      args,
      // Claude Code puts the values in, so that they are not on its command line.
      env: Object.fromEntries(own.map((name) => [name, `\${${name}}`])),
      // Else the model must search for the tools before it can see them.
      alwaysLoad: true,
      // Of one call, also one that is silent: whether it takes too long is decided where it runs.
      timeout: MAX_CALL_MS,
    },
  };
}
