/** A setting that cannot be used; the message is for the person who set it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** A flag or argument that nobody knows: asked wrongly, where everything else is set wrongly. */
export class ArgsError extends ConfigError {}
