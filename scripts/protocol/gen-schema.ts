/** `npm run protocol:gen`: writes the JSON Schemas of the gateway, bridge and world protocols, of signals and of the
 * settings file, and the pages that list methods, events and settings. */
import {
  bridgeArtifact,
  configArtifact,
  referenceArtifact,
  schemaArtifact,
  settingsArtifact,
  worldArtifact,
  signalArtifact,
} from "./artifacts.ts";
import { writeArtifact } from "./files.ts";

await writeArtifact(schemaArtifact);
await writeArtifact(bridgeArtifact);
await writeArtifact(worldArtifact);
await writeArtifact(signalArtifact);
await writeArtifact(configArtifact);
await writeArtifact(referenceArtifact);
await writeArtifact(settingsArtifact);
