import { v1, type EventDeclarations } from "../engine/codec.ts";
import type { LoginEvent } from "./login.ts";

const login = { loginId: "string" } as const;

export const LOGIN_EVENTS: EventDeclarations<LoginEvent> = {
  "login.opened": v1({
    ...login,
    cookieDigest: "string",
    pageDigest: "string",
    name: "string",
    userAgent: "string",
    address: "string",
    expiresAt: "number",
  }),
  "login.renamed": v1({ ...login, name: "string" }),
  "login.seen": v1({ ...login, address: "string" }),
  "login.approved": v1({ ...login, by: "object", expiresAt: "number" }),
  "login.rejected": v1({ ...login, by: "object" }),
  "login.ended": v1({ ...login, why: "string" }),
};
