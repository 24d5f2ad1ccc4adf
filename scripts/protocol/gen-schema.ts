/** `npm run protocol:gen`: writes the JSON Schemas of the gateway protocol and of the settings file. */
import { configArtifact, schemaArtifact } from "./artifacts.ts";
import { writeArtifact } from "./files.ts";

await writeArtifact(schemaArtifact);
await writeArtifact(configArtifact);
