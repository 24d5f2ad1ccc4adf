/** Plain HTTP for whoever runs the server: is it up, is it ready, how is it doing. */
import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Gauge as GaugeOf, Registry } from "prom-client";
import { isAuthFailure } from "../access/authenticate.ts";
import type { HttpAccess } from "../access/http-access.ts";
import { unauthorized } from "../http/problem.ts";

export interface OperationsRouteDeps {
  readonly version: string;
  readonly isReady: () => boolean;
  /** Why nothing can be written; undefined while it can. */
  readonly trouble: () => string | undefined;
  readonly uptimeMs: () => number;
  readonly connections: () => number;
  readonly strangers: () => number;
  readonly logHead: () => number;
  /** Entries that could not be folded, by who could not. */
  readonly damagedEntries: () => ReadonlyMap<string, number>;
  readonly unknownEntries: () => ReadonlyMap<string, number>;
  readonly listenerFaults: () => ReadonlyMap<string, number>;
  /** Figures of a cluster, as text; undefined when one server keeps the log by itself. */
  readonly clusterMetrics: () => string | undefined;
  /** Figures are for whoever runs the server: from this machine, or with the token. */
  readonly metricsAccess: HttpAccess;
}

const RETRY_SOON = { "retry-after": "1" };

export function createOperations(deps: OperationsRouteDeps): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  for (const path of ["/healthz", "/health"]) {
    app.get(path, (c) => c.json({ ok: true, status: "live" }));
  }
  for (const path of ["/readyz", "/ready"]) {
    app.get(path, (c) => {
      const reason = deps.isReady() ? deps.trouble() : "The server is starting or closing.";
      const ready = reason === undefined;
      const body = { ready, version: deps.version, uptimeMs: deps.uptimeMs() };
      return ready ? c.json(body) : c.json({ ...body, reason }, 503, RETRY_SOON);
    });
  }
  for (const path of ["/startupz", "/startup"]) {
    app.get(path, (c) => {
      const ok = deps.isReady();
      const status = ok ? "started" : "starting";
      return c.json({ ok, status, uptimeMs: deps.uptimeMs() }, ok ? 200 : 503);
    });
  }
  let registry: Promise<Registry> | undefined;
  app.get("/metrics", async (c) => {
    const principal = deps.metricsAccess(c.env.incoming);
    if (isAuthFailure(principal)) return unauthorized(principal);
    const metrics = await (registry ??= openRegistry(deps));
    const text = `${await metrics.metrics()}\n${deps.clusterMetrics() ?? ""}`;
    return c.body(text, 200, { "content-type": metrics.contentType });
  });
  return app;
}

const DAMAGED_ENTRIES = "Damaged log entries that are left out.";
const UNKNOWN_ENTRIES =
  "Log entries of a type or version that this server does not know; they are left out.";
const LISTENER_FAULTS = "How often a listener to the log threw and missed entries.";

/** Made when first asked for: a server nobody scrapes should not pay for it. */
async function openRegistry(deps: OperationsRouteDeps): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import("prom-client");
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauges = [
    ["atrium_connections", "Sockets that are open.", deps.connections],
    ["atrium_strangers", "Sockets that have not connected yet.", deps.strangers],
    ["atrium_log_head", "Sequence number of the newest log entry.", deps.logHead],
  ] as const;
  for (const [name, help, read] of gauges) {
    const collect = (): void => gauge.set(read());
    const gauge: GaugeOf = new Gauge({ name, help, registers, collect });
  }
  const families = [
    ["atrium_quarantined_entries", DAMAGED_ENTRIES, "reader", deps.damagedEntries],
    ["atrium_unknown_entries", UNKNOWN_ENTRIES, "type", deps.unknownEntries],
    ["atrium_listener_faults", LISTENER_FAULTS, "listener", deps.listenerFaults],
  ] as const;
  for (const [name, help, label, read] of families) {
    const collect = (): void => {
      for (const [of, count] of read()) gauge.set({ [label]: of }, count);
    };
    const gauge: GaugeOf = new Gauge({ name, help, labelNames: [label], registers, collect });
  }
  return registry;
}
