import type { EventDeclarations } from "../engine/codec.ts";
import type { LoginEvent } from "./login.ts";

const login = { loginId: "string" } as const;

export const LOGIN_EVENTS: EventDeclarations<LoginEvent> = {
  "login.opened": {
    version: 1,
    shape: {
      ...login,
      cookieDigest: "string",
      pageDigest: "string",
      name: "string",
      userAgent: "string",
      address: "string",
      expiresAt: "number",
    },
  },
  "login.renamed": { version: 1, shape: { ...login, name: "string" } },
  "login.seen": { version: 1, shape: { ...login, address: "string" } },
  "login.approved": { version: 1, shape: { ...login, by: "object", expiresAt: "number" } },
  "login.rejected": { version: 1, shape: { ...login, by: "object" } },
  "login.ended": { version: 1, shape: { ...login, why: "string" } },
};
