import { readFileSync } from "node:fs";

/** The version that all packages share. */
export function ownVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own package.json
  return (JSON.parse(text) as { readonly version: string }).version;
}
