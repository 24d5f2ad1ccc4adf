/**
 * What a browser finds at the root of the port: the static files of a web client, or, where none is
 * built, one line of text. It is the last to be asked, so it also says what is not there.
 */
import { DEFAULT_HANDLE, type CrewMember } from "@atrium/core";
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import { isAuthFailure } from "../access/authenticate.ts";
import type { HttpAccess } from "../access/http-access.ts";
import { unauthorized, notFound, methodNotAllowed } from "../http/problem.ts";
import type { StaticFiles } from "./static-files.ts";

export interface PagesDeps {
  readonly version: string;
  /** None where no web client is. */
  readonly files: StaticFiles | undefined;
  readonly crew: readonly CrewMember[];
  /** Whoever shows the token, or a paired device's own. */
  readonly access: HttpAccess;
}

/** Programs call these; a page would only puzzle them. */
const NOT_FOR_PAGES = /^\/(?:api|git|v1|ws)(?:\/|$)/;

export type Pages = Hono<{ Bindings: HttpBindings }>;

export function createPages(deps: PagesDeps): Pages {
  const { version, files, crew, access } = deps;
  const app = new Hono<{ Bindings: HttpBindings }>();
  if (files === undefined) {
    app.get("/", (c) =>
      c.text(`Atrium ${version} is open.\nThe gateway answers WebSockets at this address.\n`),
    );
  } else {
    // OpenClaw's web client asks for this before it connects.
    app.get("/control-ui-config.json", (c) => {
      const principal = access(c.env.incoming);
      if (isAuthFailure(principal)) return unauthorized(principal);
      return c.json({
        basePath: "",
        assistantName: crew.find(({ handle }) => handle === DEFAULT_HANDLE)?.name ?? "Atrium",
        assistantAvatar: "",
        assistantAgentId: DEFAULT_HANDLE,
        serverVersion: version,
        terminalEnabled: false,
      });
    });
    app.use(async (c, next) => {
      if (NOT_FOR_PAGES.test(c.req.path)) return next();
      if (c.req.method !== "GET" && c.req.method !== "HEAD") {
        return methodNotAllowed(c.req.path, ["GET", "HEAD"]);
      }
      return (await files(c.req.raw)) ?? next();
    });
  }
  app.all("*", (c) => notFound(c.req.path));
  return app;
}
