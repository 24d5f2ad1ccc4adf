/** `npm run protocol:gen`: writes the JSON Schemas of the gateway protocol and of the settings file, and
 * the page that lists methods and events. */
import { configArtifact, referenceArtifact, schemaArtifact } from "./artifacts.ts";
import { writeArtifact } from "./files.ts";

await writeArtifact(schemaArtifact);
await writeArtifact(configArtifact);
await writeArtifact(referenceArtifact);
