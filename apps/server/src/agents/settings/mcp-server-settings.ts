/**
 * MCP servers that agents bring along, as atrium.config.json has them. Secrets are named by environment variable and
 * never written: what a server is given is read when its agent's runtime is made.
 */
import { Type, type Static } from "@atrium/schema";
import { ConfigError } from "../../platform/config-error.ts";

type ReadEnv = (name: string) => string | undefined;

const closed = { additionalProperties: false } as const;
const EnvName = Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]*$" });

const ProgramServer = Type.Object(
  {
    command: Type.String({ minLength: 1, description: "The program, by name or path." }),
    args: Type.Optional(Type.Array(Type.String())),
    env: Type.Optional(
      Type.Array(EnvName, { description: "Variables of the server's environment it is given." }),
    ),
    readable: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        description:
          "Files and folders it may read where it is confined, such as its installation.",
      }),
    ),
  },
  { ...closed, description: "A program that speaks MCP on its standard input and output." },
);

const HttpServer = Type.Object(
  {
    url: Type.String({ pattern: "^https?://" }),
    headersEnv: Type.Optional(
      Type.Record(Type.String({ pattern: "^[A-Za-z0-9-]+$" }), EnvName, {
        ...closed,
        description: "Headers, each with the environment variable that holds its whole value.",
      }),
    ),
  },
  { ...closed, description: "A server that speaks MCP over HTTP." },
);

export const McpServers = Type.Record(
  Type.String({ pattern: "^[A-Za-z0-9_-]{1,40}$" }),
  Type.Union([ProgramServer, HttpServer]),
  { ...closed, description: "MCP servers it gets besides Atrium's own, by name." },
);
export type McpServers = Static<typeof McpServers>;
export type McpServerSettings = McpServers[string];

/** One with what it is given. */
export type EquippedServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Where it is confined. */
      readonly readable?: readonly string[];
    }
  | {
      readonly name: string;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

/** The name under which agents have our own tools. */
const OWN_SERVER = "atrium";

export function mcpServersProblem(servers: object = {}): string | undefined {
  return Object.hasOwn(servers, OWN_SERVER)
    ? `mcpServers: the name "${OWN_SERVER}" is kept for Atrium's own tools; choose another`
    : undefined;
}

export function envNamesIn(servers: McpServers = {}): readonly string[] {
  return Object.values(servers).flatMap((server) =>
    "command" in server ? (server.env ?? []) : Object.values(server.headersEnv ?? {}),
  );
}

/** What nobody may say: whatever the servers are given. */
export function secretsOfServers(servers: McpServers = {}, readEnv: ReadEnv): readonly string[] {
  return envNamesIn(servers).flatMap((name) => readEnv(name) ?? []);
}

/** A variable that should be there and is not is told before any agent needs it. */
export function equipServers(
  whose: string,
  servers: McpServers = {},
  readEnv: ReadEnv,
): readonly EquippedServer[] {
  return Object.entries(servers).map(([name, server]) => {
    const valueOf = (variable: string): string => {
      const value = readEnv(variable);
      if (value !== undefined && value !== "") return value;
      throw new ConfigError(
        `${whose}: the environment variable ${variable} is not set; its MCP server "${name}" needs it`,
      );
    };
    if ("command" in server) {
      const { command, args = [], env = [], readable = [] } = server;
      const given = Object.fromEntries(env.map((variable) => [variable, valueOf(variable)]));
      return { name, command, args, env: given, readable };
    }
    const headers = Object.entries(server.headersEnv ?? {}).map(
      ([header, variable]) => [header, valueOf(variable)] as const,
    );
    return { name, url: server.url, headers: Object.fromEntries(headers) };
  });
}
