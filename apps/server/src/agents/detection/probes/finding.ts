/** What detection says of an agent program or a model server. Nothing else of what was read leaves detection. */
import type { RuntimeSettings } from "../../settings/runtime-settings.ts";

/**
 * `login-unknown`: only a first turn can tell. `broken`: it is there and does not work. `missing`: not installed, or not
 * running.
 */
export type FindingState =
  | "ready"
  | "login-needed"
  | "login-unknown"
  | "too-old"
  | "broken"
  | "missing";

interface Finding {
  readonly id: string;
  readonly name: string;
  readonly state: FindingState;
  /** One sentence that says how it is and what to do. */
  readonly message: string;
  /** Settings that connect it. */
  readonly runtime?: RuntimeSettings;
}

export interface ProgramFinding extends Finding {
  readonly path?: string;
  readonly version?: string;
  /** Variables of the server's environment, and keys kept with it, that it can use, by name. */
  readonly variables: readonly string[];
  /** Variables in which a key can take the place of its login. */
  readonly keys: readonly string[];
  readonly install: string;
}

export interface ModelServerFinding extends Finding {
  readonly baseUrl: string;
  readonly models: readonly string[];
}
