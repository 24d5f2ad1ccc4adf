/** A setting that cannot be used; the message is for the person who set it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** An unknown flag or argument. It has an exit code of its own. */
export class ArgsError extends ConfigError {}
