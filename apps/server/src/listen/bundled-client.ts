/** The web client that comes with this server: what set-up has built, if it has. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createStaticFiles, type StaticFiles } from "./static-files.ts";

const BUILT = fileURLToPath(new URL("../../../web/dist/", import.meta.url));

export function findBundledClient(): StaticFiles | undefined {
  return existsSync(`${BUILT}index.html`) ? createStaticFiles(BUILT, "in-files") : undefined;
}
