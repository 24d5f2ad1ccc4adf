/**
 * The connection to the process of an ACP agent: what it asks of us and tells us goes to its listener, files are read and
 * written for it in its folder, and what we ask of it ends with the process at the latest.
 */
import { Readable, Writable } from "node:stream";
import type {
  ClientConnection,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionNotification,
} from "@agentclientprotocol/sdk";
import type { Child } from "../../confinement/program/child.ts";
import { PathRefused } from "../../platform/folder-files.ts";
import { gone } from "./acp-failures.ts";
import type { CompleteAcpSettings } from "./acp-settings.ts";
import { createMessageLines } from "./message-lines.ts";
import { createWorkspace } from "./workspace.ts";

export type AcpSdk = typeof import("@agentclientprotocol/sdk");

export interface ConnectionListener {
  update(notification: SessionNotification): void;
  decide(request: RequestPermissionRequest): Promise<RequestPermissionOutcome>;
  /** What people have added to the turn, for an agent that asks. */
  takeSteering(): readonly string[];
}

/** Qwen's own: it asks after each round of tools. */
const TAKE_STEERING = "craft/drainMidTurnQueue";

export interface AcpConnection {
  readonly agent: ClientConnection["agent"];
  /** The process has ended, or has hung up, which is as good. */
  readonly ended: Promise<void>;
  /** What it has printed that was no message. */
  noise(): string;
  /** Settles when it prints a lot and none of it is a message. */
  readonly isNoisy: Promise<void>;
  /** Rejects with AgentGone when the process ends, else with what the agent refuses with. */
  whileAlive<T>(request: Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export function connect(
  sdk: AcpSdk,
  child: Child,
  settings: Pick<CompleteAcpSettings, "command" | "cwd" | "maxOutputBytes">,
  listener: ConnectionListener,
): AcpConnection {
  const { client, methods, ndJsonStream, RequestError } = sdk;
  const [program = ""] = settings.command;
  const files = createWorkspace(settings.cwd);
  const lines = createMessageLines();
  const answer = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (cause instanceof PathRefused) throw new RequestError(-32_602, cause.message);
      throw cause;
    }
  };
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout.pipe(lines.stream)) as ReadableStream<Uint8Array>,
    { maxMessageBytes: settings.maxOutputBytes },
  );
  const connection = client({ name: "atrium" })
    .onNotification(methods.client.session.update, ({ params }) => listener.update(params))
    .onRequest(methods.client.session.requestPermission, async ({ params }) => {
      return { outcome: await listener.decide(params) };
    })
    .onRequest(TAKE_STEERING, asIs, () => {
      return { messages: listener.takeSteering(), hasQueuedPrompt: false };
    })
    .onRequest(methods.client.fs.readTextFile, async ({ params }) => {
      return { content: await answer(files.read(params.path, params.line, params.limit)) };
    })
    .onRequest(methods.client.fs.writeTextFile, async ({ params }) => {
      await answer(files.write(params.path, params.content));
      return {};
    })
    .connect(stream);
  const over = async (): Promise<void> => {
    await Promise.race([child.ended, connection.closed]);
    void child.stop();
  };
  return {
    agent: connection.agent,
    ended: over(),
    noise: () => lines.noise(),
    isNoisy: lines.isNoisy,
    async whileAlive(request) {
      try {
        return await request;
      } catch (cause) {
        // A connection that closes rejects what is under way; why it closed is known to the process.
        if (!connection.signal.aborted) throw cause;
        await child.stop();
        throw gone(program, await child.ended, child.complaint());
      }
    },
    async stop() {
      connection.close();
      await child.stop();
    },
  };
}

function asIs(params: unknown): unknown {
  return params;
}
