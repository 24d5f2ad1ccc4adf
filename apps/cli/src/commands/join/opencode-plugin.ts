/** The plugin of opencode: one file of its settings, which knows Atrium's home. */
import { readFileSync } from "node:fs";

const SOURCE = new URL("../../../../plugin/opencode/atrium.ts", import.meta.url);
const PLACE = 'const HOME = "";';

export function opencodePlugin(home: string): string {
  return readFileSync(SOURCE, "utf8").replace(PLACE, () => `const HOME = ${JSON.stringify(home)};`);
}
