/** Capabilities that a client must declare to be sent more than the basic protocol. */
export const CAPS = { toolEvents: "tool-events", sessionScoped: "session-scoped-events" } as const;
