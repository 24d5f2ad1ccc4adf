/**
 * The files that are generated from schemas (the protocol's, the settings') and committed.
 *
 * Generators write them, `check.ts` compares them, tests read them; all three through this table.
 */
import { ConfigFile } from "@atrium/server/settings";
import { buildBridgeDocument } from "./bridge-document.ts";
import { buildDocument } from "./document.ts";
import { toDraft07 } from "./draft07.ts";
import { renderReference } from "./reference.ts";
import { renderSettings } from "./settings-reference.ts";
import { buildSignalDocument } from "./signal-document.ts";
import { renderSwift } from "./swift/render.ts";
import { buildWorldDocument } from "./world-document.ts";

export interface Artifact {
  /** From the root of the repository. */
  readonly path: string;
  /** What a person runs to write it again. */
  readonly command: string;
  readonly render: () => string;
}

export const schemaArtifact: Artifact = {
  path: "dist/protocol.schema.json",
  command: "npm run protocol:gen",
  render: () => `${JSON.stringify(buildDocument(), null, 2)}\n`,
};

export const swiftArtifact: Artifact = {
  path: "swift/Sources/AtriumProtocol/GatewayModels.swift",
  command: "npm run protocol:gen:swift",
  render: () => renderSwift(buildDocument()),
};

export const bridgeArtifact: Artifact = {
  path: "dist/bridge.schema.json",
  command: "npm run protocol:gen",
  render: () => `${JSON.stringify(buildBridgeDocument(), null, 2)}\n`,
};

export const worldArtifact: Artifact = {
  path: "dist/world.schema.json",
  command: "npm run protocol:gen",
  render: () => `${JSON.stringify(buildWorldDocument(), null, 2)}\n`,
};

export const signalArtifact: Artifact = {
  path: "dist/signal.schema.json",
  command: "npm run protocol:gen",
  render: () => `${JSON.stringify(buildSignalDocument(), null, 2)}\n`,
};

/** What an editor needs to help with atrium.config.json. */
export const configArtifact: Artifact = {
  path: "dist/config.schema.json",
  command: "npm run protocol:gen",
  render: () => `${JSON.stringify(buildConfigSchema(), null, 2)}\n`,
};

export const referenceArtifact: Artifact = {
  path: "docs/gateway.md",
  command: "npm run protocol:gen",
  render: renderReference,
};

export const settingsArtifact: Artifact = {
  path: "docs/settings.md",
  command: "npm run protocol:gen",
  render: renderSettings,
};

function buildConfigSchema(): object {
  const head = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Atrium configuration",
  };
  return { ...head, ...toDraft07(ConfigFile, () => undefined, "config") };
}

export const ARTIFACTS: readonly Artifact[] = [
  schemaArtifact,
  bridgeArtifact,
  worldArtifact,
  signalArtifact,
  configArtifact,
  referenceArtifact,
  settingsArtifact,
  swiftArtifact,
];

/** `undefined` when there is no such file. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** One sentence for each artifact that is not what the declarations generate. */
export async function staleArtifacts(
  artifacts: readonly Artifact[],
  read: ReadText,
): Promise<readonly string[]> {
  const verdicts = await Promise.all(
    artifacts.map(async ({ path, command, render }) => {
      const found = await read(path);
      if (found === render()) return [];
      const problem = found === undefined ? "is missing" : "is out of date";
      return [`${path} ${problem}: run ${command} and commit the result`];
    }),
  );
  return verdicts.flat();
}
