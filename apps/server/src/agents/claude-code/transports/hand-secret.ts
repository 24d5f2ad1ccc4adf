/** The secret by which a program that someone else starts comes in: what a variable of the environment holds. */
import { ConfigError } from "../../../platform/config-error.ts";
import { isByHand, type WrittenClaudeSettings } from "../protocol/claude-settings.ts";

/** One that could be guessed would let anybody answer for the agent. */
const MIN_CHARACTERS = 16;

/** Undefined where the settings are not for such a program. */
export function handSecret(
  settings: WrittenClaudeSettings,
  readEnv: (name: string) => string | undefined,
): string | undefined {
  const { tokenEnv } = settings;
  if (!isByHand(settings)) {
    if (tokenEnv === undefined) return undefined;
    throw new ConfigError(
      `runtimes: "tokenEnv" is for "transport": "bridge" without a "command" alone; whatever Atrium starts gets a secret of its own`,
    );
  }
  if (tokenEnv === undefined) {
    throw new ConfigError(
      `runtimes: "transport": "bridge" needs a "command" to start, or a "tokenEnv" for a program that someone else starts`,
    );
  }
  const secret = readEnv(tokenEnv) ?? "";
  if (secret.length >= MIN_CHARACTERS) return secret;
  const what = secret === "" ? "is not set" : "is too short";
  throw new ConfigError(
    `the environment variable ${tokenEnv} ${what}; it should hold a secret of at least ${MIN_CHARACTERS} characters, for example of: openssl rand -hex 32`,
  );
}
