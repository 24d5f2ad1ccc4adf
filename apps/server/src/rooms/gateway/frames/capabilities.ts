/** What a client must have said it can take before it is sent more than the plain protocol. */
export const CAPS = { toolEvents: "tool-events", sessionScoped: "session-scoped-events" } as const;
