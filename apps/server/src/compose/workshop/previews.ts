/** Previews, put together: their port and the addresses on it. Part of compose.ts, and imported by it alone. */
import type { Fault } from "@atrium/core";
import { ConfigError } from "../../platform/config-error.ts";
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

/** A port that is held until it is known whether the settings change. */
export interface PreparedPreviews {
  readonly commit: () => void;
  readonly discard: () => Promise<void>;
}

export interface Previews extends AsyncDisposable {
  readonly openPreview: OpenPreview;
  /** Undefined: there are none. */
  port(): number | undefined;
  /** Beside the server's own port. */
  listen(serverPort: number): Promise<void>;
  /** For other settings; throws a ConfigError where their port cannot be had. */
  prepare(next: Pick<Config, "preview">): Promise<PreparedPreviews>;
}

const TRIES = 20;
const MAX_PORT = 65_535;

export function composePreviews(
  { config, home, note, report }: PreviewsSurface,
  use: () => Promise<Workspaces>,
): Previews {
  const { host, allowedHosts } = config;
  const sites = createPreviewSites(() => home.secret("preview-secret"));
  const answer = createAnswerPreview({ sites, use, allowedHosts, report });
  let listener: PreviewListener | undefined;
  let beside = 0;
  /** What the listener is for. */
  let held: Config["preview"];
  const port = (): number | undefined => listener?.port;
  const portsFor = (preview: Exclude<Config["preview"], "off">): readonly number[] =>
    preview === undefined ? portsAfter(beside) : [preview];
  const open = async (preview: Exclude<Config["preview"], "off">): Promise<PreviewListener> => {
    const ports = portsFor(preview);
    const opened = await openPreviewListener({ host, ports, answer });
    if (opened !== undefined) return opened;
    throw new ConfigError(
      `preview: port ${ports.join(", ")} of ${host} is not free; choose another`,
    );
  };
  return {
    port,
    openPreview: createOpenPreview({ sites, use, port }),
    async listen(serverPort) {
      beside = serverPort;
      held = config.preview;
      if (held === "off") return;
      const ports = portsFor(held);
      listener = await openPreviewListener({ host, ports, answer });
      if (listener === undefined) note("no port for previews is free", { host, ports });
    },
    async prepare({ preview }) {
      if (preview === held || (preview !== "off" && preview !== 0 && preview === listener?.port)) {
        return { commit: () => void (held = preview), discard: async () => undefined };
      }
      const next = preview === "off" ? undefined : await open(preview);
      return {
        commit() {
          const last = listener;
          listener = next;
          held = preview;
          void last?.[Symbol.asyncDispose]();
        },
        discard: async () => next?.[Symbol.asyncDispose](),
      };
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
