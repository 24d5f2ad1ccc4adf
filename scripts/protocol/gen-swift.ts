/** `npm run protocol:gen:swift`: writes the Swift models of the gateway protocol. */
import { swiftArtifact } from "./artifacts.ts";
import { writeArtifact } from "./files.ts";

await writeArtifact(swiftArtifact);
