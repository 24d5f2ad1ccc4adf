/** Which server and session the plugin serves, from the environment that Claude Code was started with. */
export interface Settings {
  readonly url: string;
  readonly token: string;
  readonly openclawSession: string;
  readonly claudeSession: string;
  /** How Claude Code is spoken with; undefined: whoever started it did not say. */
  readonly transport?: string | undefined;
}

const NAMES = {
  url: "SYNTHESIS_BRIDGE_URL",
  token: "SYNTHESIS_BRIDGE_TOKEN",
  openclawSession: "SYNTHESIS_OPENCLAW_SESSION",
  claudeSession: "SYNTHESIS_CLAUDE_SESSION",
} as const satisfies Record<Exclude<keyof Settings, "transport">, string>;
const TRANSPORT = "SYNTHESIS_TRANSPORT";

/** The settings, or a sentence that says what is missing; undefined: there are none, the session was started by hand. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
): Settings | string | undefined {
  const missing = Object.values(NAMES).filter((name) => (env[name] ?? "") === "");
  if (missing.length === Object.keys(NAMES).length) return undefined;
  if (missing.length > 0) {
    return `only a part of Atrium's settings is there: ${missing.join(", ")} not set`;
  }
  const read = (key: keyof typeof NAMES): string => env[NAMES[key]] ?? "";
  if (!URL.canParse(read("url")) || !/^wss?:$/.test(new URL(read("url")).protocol)) {
    return `${NAMES.url} is not the address of a WebSocket: ${read("url")}`;
  }
  return {
    url: read("url"),
    token: read("token"),
    openclawSession: read("openclawSession"),
    claudeSession: read("claudeSession"),
    transport: env[TRANSPORT],
  };
}
