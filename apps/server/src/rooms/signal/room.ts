/**
 * The signal room: what happens here as signals for whoever wants them, and signals from whoever has some. A
 * socket, a POST and an event stream over one intake and one hub.
 */
import {
  KeyedBuckets,
  type Clock,
  type Fault,
  type Ids,
  type Signal,
  type Visitor,
} from "@atrium/core";
import { createSignalFrameReader, createSignalReader } from "@atrium/wire/signal";
import type { Authenticate } from "../../access/authenticate.ts";
import type { HttpAccess } from "../../access/http-access.ts";
import type { OpenMirror } from "../../cluster/relay.ts";
import { createHttpApi, type HttpApp } from "../../http/api.ts";
import type { CrossOriginRules } from "../../http/cross-origin.ts";
import type { EventStreamRules } from "../../http/event-stream.ts";
import { createMethodRouter } from "../../pipeline/method-router.ts";
import type { Room } from "../../sockets/peer.ts";
import { createPostHook, SIGNAL_HOOKS_PATH } from "./inbound/post-hook.ts";
import { createPostSignals } from "./inbound/post.ts";
import { createSignalProtocol, signalMethods } from "./inbound/protocol.ts";
import { SignalSession } from "./inbound/session.ts";
import { SignalIntake, type SignalIntakeDeps } from "./inbound/signal-intake.ts";
import { SignalReceiver } from "./inbound/signal-receiver.ts";
import { createPostTraces } from "./otlp/post-traces.ts";
import { SignalHub, type HubDeps } from "./outbound/hub.ts";
import { createLiveText, type LiveTextDeps } from "./outbound/live-text.ts";
import { createSignalHistory, HISTORY_PARAMS } from "./outbound/signal-history.ts";
import { createSignalStream, STREAM_PARAMS } from "./outbound/stream.ts";
import { createTranslate, type SignalEntry, type TranslatorDeps } from "./translate/translate.ts";

const MAX_SOURCES = 10_000;

export interface SignalRoomDeps
  extends
    TranslatorDeps,
    Omit<HubDeps, "translate">,
    Pick<LiveTextDeps, "live">,
    Pick<SignalIntakeDeps, "dispatch" | "timers"> {
  readonly mirror: OpenMirror;
  readonly visitors: { list(): readonly Visitor[] };
  readonly authenticate: Authenticate;
  readonly access: HttpAccess;
  /** Admits hooks, which may send signals and nothing else. */
  readonly hookAccess: HttpAccess;
  readonly crossOrigin: CrossOriginRules;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: EventStreamRules & {
    readonly signalsPerSecond: number;
    readonly maxSignalBytes: number;
    readonly bodyTimeoutMs: number;
  };
  readonly report: (fault: Fault) => void;
}

export interface SignalRoom extends Room {
  readonly apps: readonly HttpApp[];
  readonly onBatch: (entries: readonly SignalEntry[]) => void;
  /** Ends the event streams, so that nobody waits for a server that is going. */
  close(): void;
}

export function openSignalRoom(deps: SignalRoomDeps): SignalRoom {
  const { clock, limits, timers, report, epoch, authenticate, agentIdOf, live, dispatch } = deps;
  const { activities, head, readEntries, openAudience, access, crossOrigin } = deps;
  const now = (): number => clock.now();
  const translate = createTranslate(deps);
  const hub = new SignalHub({ translate, activities, head, readEntries, openAudience });
  const words = createLiveText({ agentIdOf, live, now });
  words.onSignal((signal) => hub.publishEphemeral(signal));
  // What a source says in passing to one node is told by all; what is missed is in the log.
  const mirror = deps.mirror<Signal>({
    name: "signals",
    whole: () => [],
    apply: (signal) => hub.publishEphemeral(signal),
    replace: () => undefined,
  });
  const pass = (signal: Signal): void => {
    hub.publishEphemeral(signal);
    mirror?.tell(signal);
  };
  const intake = new SignalIntake({ dispatch, timers, pass });
  hub.addUnderway(() => words.underway());
  hub.addUnderway(() => intake.underway());
  // A source has a second's worth in hand; what goes beyond it is owed, and nothing that was taken is dropped.
  const rules = {
    get capacity() {
      return limits.signalsPerSecond;
    },
    get refillTokens() {
      return limits.signalsPerSecond;
    },
    refillMs: 1_000,
  };
  const pace = new KeyedBuckets(rules, now, MAX_SOURCES);
  const receiver = new SignalReceiver({ read: createSignalReader(), intake, pace });
  const closing = new AbortController();
  const bodyLimits = {
    get maxBytes() {
      return limits.maxSignalBytes;
    },
    get timeoutMs() {
      return limits.bodyTimeoutMs;
    },
  };
  const postHook = createPostHook({ ...deps, receiver, limits: bodyLimits });
  const hooks = createHttpApi(
    { [SIGNAL_HOOKS_PATH]: { POST: postHook } },
    { access: deps.hookAccess, report },
  );
  const app = createHttpApi(
    {
      "/api/signal": { isShared: true, POST: createPostSignals(receiver, bodyLimits) },
      "/v1/traces": { POST: createPostTraces(receiver, bodyLimits) },
      "/api/signals/stream": {
        isShared: true,
        query: STREAM_PARAMS,
        GET: createSignalStream({ hub, rules: limits, timers, closing: closing.signal, report }),
      },
      "/api/signals": { isShared: true, query: HISTORY_PARAMS, GET: createSignalHistory(hub) },
      "/api/signals/visitors": {
        isShared: true,
        GET: () => Response.json({ visitors: describeVisitors(deps.visitors.list(), now()) }),
      },
    },
    { access, crossOrigin, report },
  );
  const protocol = createSignalProtocol(createSignalFrameReader(), limits);
  const call = createMethodRouter(signalMethods(), report);
  const session = { hub, receiver, protocol, call, authenticate, epoch, now, timers, report };
  return {
    open: (peer) => new SignalSession(peer, session),
    apps: [hooks, app],
    onBatch: hub.onBatch,
    close: () => closing.abort(),
  };
}

function describeVisitors(visitors: readonly Visitor[], now: number): readonly object[] {
  return visitors.toReversed().map((visitor) => ({ ...visitor, ageMs: now - visitor.lastAt }));
}
