/** `npm run protocol:gen`: writes the JSON Schemas of the gateway, bridge and world protocols, of signals and of the
 * settings file, and the page that lists methods and events. */
import {
  bridgeArtifact,
  configArtifact,
  referenceArtifact,
  schemaArtifact,
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
