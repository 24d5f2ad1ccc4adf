/**
 * The doors: one port for HTTP and every kind of socket.
 *
 * An upgrade is checked (gatekeeper), finds its room by path, becomes a Connection and is handed over.
 * From there on this file only keeps the list of who is there, their pulse, and the way out.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { Fault, type RefusalCode } from "@atrium/core";
import { WebSocketServer, type WebSocket } from "ws";
import { PAGE_PROTOCOL, type ReadCredential } from "../access/credentials.ts";
import { checkHostAndOrigin, type HostPolicy } from "../access/host-policy.ts";
import type { OriginOf } from "../access/request-origin.ts";
import type { Fanout } from "../fanout/fanout.ts";
import { problemBody } from "../http/problem.ts";
import type { IsOfAgent } from "../platform/agent-processes.ts";
import { holdingTimers, repeat } from "../platform/timers.ts";
import type { Room } from "../sockets/peer.ts";
import {
  Connection,
  type ConnectionDeps,
  type ConnectionLimits,
  type RemoteAddress,
} from "./connection.ts";
import { FairQueue } from "./fair-queue.ts";
import { Lobby, type LobbyRules } from "./lobby.ts";

/** Looked up with every use. */
export interface ListenLimits extends ConnectionLimits, LobbyRules {
  readonly maxBufferedBytes: number;
  readonly maxPayloadBytes: number;
  readonly pingIntervalMs: number;
}

export interface ListenDeps {
  readonly limits: ListenLimits;
  readonly gate: HostPolicy;
  readonly now: () => number;
  readonly serve: RequestListener;
  /** By path: what an upgrade to it is handed to. */
  readonly rooms: ReadonlyMap<string, Room>;
  readonly atTurnEnd: Fanout["atTurnEnd"];
  readonly readCredential: ReadCredential;
  readonly originOf: OriginOf;
  readonly isOfAgent: IsOfAgent;
  readonly report: (fault: Fault) => void;
}

export interface Listener {
  readonly connections: number;
  readonly strangers: number;
  /** Closes every socket of a login that is over. */
  closeLogins(isOver: (loginId: string) => boolean): void;
  open(host: string, port: number): Promise<number>;
  /** No one new; everyone here is closed with that code and reason, then the port is free. */
  close(code: number, reason: string): Promise<void>;
}

// An import would look at all that the module has, also at what is only loaded when it is looked at (answer-later.ts).
const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
const SWEEP_MS = 500;
/** As the gateway's peers close when what they came in by is void. */
const CLOSED_BY_LOGIN = 4001;
const HEADERS_TIMEOUT_MS = 10_000;
/** What happens many times a second is reported this seldom. */
const QUIET_MS = 60_000;

export function createListener(given: ListenDeps): Listener {
  const { limits, gate, now, serve, rooms, readCredential, originOf, isOfAgent } = given;
  const connections = new Set<Connection>();
  const lobby = new Lobby(limits);
  const deps: ConnectionDeps = {
    lobby,
    queue: new FairQueue(now),
    limits,
    outbox: outboxRules(given),
    now,
    onClosed: (connection) => void connections.delete(connection),
  };
  const socketsNow = createSocketServers(limits);
  let isClosing = false;

  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: SWEEP_MS },
    (request, response) => {
      const objection = checkHostAndOrigin(request, gate);
      if (objection === undefined) return serve(request, response);
      response.writeHead(objection.status, { "content-type": "application/json" });
      response.end(JSON.stringify(problemBody(objection.code, objection.reason)));
    },
  );

  /** Keeps nothing of the request: it would stay in memory as long as the socket. */
  function welcome(ws: WebSocket, socket: Socket, origin: RemoteAddress, room: Room): void {
    socket.setNoDelay(true);
    const connection = new Connection(ws, socket, origin, deps);
    connections.add(connection);
    connection.enter(room);
  }

  server.on("upgrade", (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.on("error", destroy);
    const objection = checkHostAndOrigin(request, gate);
    const room = rooms.get(pathOf(request));
    if (objection !== undefined) return turnAway(socket, objection);
    if (isClosing) return turnAway(socket, CLOSING);
    if (room === undefined) return turnAway(socket, noSocketAt(pathOf(request)));
    const { address, isLocal } = originOf(request);
    const who = { shown: readCredential(request), isOfAgent: () => isOfAgent(socket) };
    const origin = { id: randomUUID(), address, isLocal, ...who };
    socketsNow().handleUpgrade(request, socket, head, (ws) => welcome(ws, socket, origin, room));
  });

  const sweeping = setInterval(() => lobby.sweep(now()), SWEEP_MS);
  const stopPinging = repeat(
    holdingTimers,
    () => limits.pingIntervalMs,
    () => {
      for (const connection of connections) connection.checkPulse();
    },
  );

  return {
    get connections() {
      return connections.size;
    },
    get strangers() {
      return lobby.size;
    },
    closeLogins: (isOver) => closeLogins(connections, isOver),
    async open(host, port) {
      server.listen(port, host);
      await once(server, "listening");
      server.on("error", reportSeldom(given));
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : port;
    },
    async close(code, reason) {
      isClosing = true;
      clearInterval(sweeping);
      stopPinging();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const connection of connections) connection.close(code, reason);
      server.closeIdleConnections();
      const enough = setTimeout(() => server.closeAllConnections(), limits.closeGraceMs);
      await closed;
      clearTimeout(enough);
    },
  };
}

/** The library takes the largest frame when it is made only; a connection keeps what held at its opening. */
function createSocketServers(limits: Pick<ListenLimits, "maxPayloadBytes">): () => WebSocketServer {
  let latest: { readonly maxPayload: number; readonly sockets: WebSocketServer } | undefined;
  return () => {
    const maxPayload = limits.maxPayloadBytes;
    if (latest?.maxPayload !== maxPayload) {
      const sockets = new WebSocketServer({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        maxPayload,
        handleProtocols: chooseProtocol,
      });
      latest = { maxPayload, sockets };
    }
    return latest.sockets;
  };
}

function outboxRules({ limits, now, atTurnEnd }: ListenDeps): ConnectionDeps["outbox"] {
  return {
    get maxBytes() {
      return limits.maxBufferedBytes;
    },
    now,
    schedule: atTurnEnd,
  };
}

/** A page names its secret as a protocol; that one is never answered with. */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(PAGE_PROTOCOL) ? PAGE_PROTOCOL : ([...offered][0] ?? false);
}

function closeLogins(
  connections: ReadonlySet<Connection>,
  isOver: (loginId: string) => boolean,
): void {
  for (const connection of connections) {
    const credential = connection.principal?.credential;
    if (credential?.kind === "browser" && isOver(credential.sessionId)) {
      connection.close(CLOSED_BY_LOGIN, "signed out");
    }
  }
}

/** One that cannot be let in costs no one else anything: when descriptors have run out, for one. */
function reportSeldom({ now, report }: Pick<ListenDeps, "now" | "report">): (cause: Error) => void {
  let silentUntil = -Infinity;
  return (cause) => {
    if (now() < silentUntil) return;
    silentUntil = now() + QUIET_MS;
    report(new Fault("a connection could not be accepted", {}, cause));
  };
}

function destroy(this: Socket): void {
  this.destroy();
}

function pathOf(request: IncomingMessage): string {
  return URL.parse(request.url ?? "/", "http://localhost")?.pathname ?? "/";
}

interface TurnedAway {
  readonly status: number;
  readonly code: RefusalCode;
  readonly reason: string;
}

const CLOSING: TurnedAway = { status: 503, code: "server.closing", reason: "closing" };

function noSocketAt(path: string): TurnedAway {
  return { status: 404, code: "path.unknown", reason: `no WebSocket endpoint at ${path}` };
}

function turnAway(socket: Duplex, { status, code, reason }: TurnedAway): void {
  const body = JSON.stringify(problemBody(code, reason));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n` +
      "connection: close\r\ncontent-type: application/json\r\n" +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
