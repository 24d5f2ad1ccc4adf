/** Previews, put together: their port and the addresses on it. Part of compose.ts, and imported by it alone. */
import type { Fault } from "@atrium/core";
import type { Home } from "../../platform/home.ts";
import { createAnswerPreview } from "../../previews/answer-preview.ts";
import { createOpenPreview, type OpenPreview } from "../../previews/open-preview.ts";
import { openPreviewListener, type PreviewListener } from "../../previews/preview-listener.ts";
import { createPreviewSites } from "../../previews/preview-sites.ts";
import type { Config } from "../../settings/read-config.ts";
import type { Workspaces } from "../../workspaces/port/workspaces.ts";

export interface PreviewsSurface {
  readonly config: Pick<Config, "host" | "preview" | "allowedHosts">;
  readonly home: Pick<Home, "secret">;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
  readonly report: (fault: Fault) => void;
}

export interface Previews extends AsyncDisposable {
  readonly openPreview: OpenPreview;
  /** Undefined: there are none. */
  port(): number | undefined;
  /** Beside the server's own port. */
  listen(serverPort: number): Promise<void>;
}

const TRIES = 20;
const MAX_PORT = 65_535;

export function composePreviews(
  { config, home, note, report }: PreviewsSurface,
  use: () => Promise<Workspaces>,
): Previews {
  const { host, preview, allowedHosts } = config;
  const sites = createPreviewSites(() => home.secret("preview-secret"));
  const answer = createAnswerPreview({ sites, use, allowedHosts, report });
  let listener: PreviewListener | undefined;
  const port = (): number | undefined => listener?.port;
  return {
    port,
    openPreview: createOpenPreview({ sites, use, port }),
    async listen(serverPort) {
      if (preview === "off") return;
      const ports = preview === undefined ? portsAfter(serverPort) : [preview];
      listener = await openPreviewListener({ host, ports, answer });
      if (listener === undefined) note("no port for previews is free", { host, ports });
    },
    [Symbol.asyncDispose]: async () => listener?.[Symbol.asyncDispose](),
  };
}

/** Where the server took any port, so do previews; else one beside it, and any where all of those are taken. */
function portsAfter(port: number): readonly number[] {
  if (port === 0) return [0];
  const next = Array.from({ length: TRIES }, (_, at) => port + 1 + at);
  return [...next.filter((each) => each <= MAX_PORT), 0];
}
