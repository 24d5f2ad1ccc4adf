/** What a command gets from the process it runs in. */
import type { Terminal } from "../terminal/terminal.ts";

export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly now: () => number;
}
