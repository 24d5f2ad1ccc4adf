/**
 * Out of the world: everything that happened, how things stand, and words on their way.
 *
 *   log -> ring (entry -> text, once) -> audiences (one per set of channels) -> sockets
 *   projects, office, time -> snapshots ------'
 *   words on their way -> agent streams ------'
 *
 * Whoever subscribes gets, in one go: what it missed (a slice of the ring), how things stand, and a place in
 * an audience. Nothing happens in between, so nothing is missed or heard twice.
 */
import {
  Fault,
  type BatchListener,
  type Clock,
  type CrewMember,
  type Projects,
} from "@atrium/core";
import { SYSTEM_PROJECT, type ResumeReason, type WorldChannel } from "@atrium/wire/world";
import type { Timers } from "../../../platform/timers.ts";
import type { LiveRuns } from "../../../runs/live-runs.ts";
import type { Audience, Peer } from "../../../sockets/peer.ts";
import type { LiveChecks } from "../../../workshop/checks/live-checks.ts";
import { channelSet, hasChannel } from "../messages/channel-set.ts";
import { message } from "../messages/message.ts";
import type { SnapshotBody } from "../snapshots/snapshot.ts";
import { createAgentStreams } from "../streams/agent-streams.ts";
import type { LogReader } from "../translate/log-reader.ts";
import { affectsSnapshot, type TranslateEntry } from "../translate/translate.ts";
import { createAudiences } from "./audiences.ts";
import { ReplayRing } from "./replay-ring.ts";
import { resumeFrom, type Cursor, type ResumeDecision } from "./resume.ts";
import { SnapshotPublisher } from "./snapshots.ts";

export interface WorldEgressDeps {
  readonly log: LogReader;
  readonly sceneId: string;
  readonly translate: TranslateEntry;
  readonly crew: readonly CrewMember[];
  readonly projects: Pick<Projects, "ofRun" | "ofTask">;
  readonly look: (time: number) => SnapshotBody;
  readonly isAnythingMoving: (time: number) => boolean;
  readonly live: Pick<LiveRuns, "onEvent">;
  readonly liveChecks: Pick<LiveChecks, "onOutput">;
  readonly openAudience: (present: () => readonly string[]) => Audience;
  readonly nextNumber: () => string;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly limits: {
    readonly worldSnapshotHz: number;
    /** In entries of the log; 0: nobody can go on where they were. */
    readonly worldReplayEntries: number;
  };
  readonly report: (fault: Fault) => void;
}

export interface WorldEgress {
  readonly seq: number;
  readonly onBatch: BatchListener;
  readonly changed: () => void;
  resumeFrom(cursor: Cursor): ResumeDecision;
  subscribe(peer: Peer, wanted: Subscription): () => void;
  /** Reads as much of what happened before as is kept, so that whoever was here then can go on. */
  recover(): Promise<void>;
  forget(): void;
  close(): void;
}

export function createWorldEgress(deps: WorldEgressDeps): WorldEgress {
  const { log, sceneId, crew, projects, live, liveChecks, clock, timers, limits, report } = deps;
  const ring = new ReplayRing(deps.translate, () => limits.worldReplayEntries, log.head);
  const audiences = createAudiences(deps.openAudience, () => snapshots.present());
  const snapshots = new SnapshotPublisher({
    clock,
    timers,
    look: deps.look,
    isAnythingMoving: deps.isAnythingMoving,
    hz: () => limits.worldSnapshotHz,
    epoch: log.epoch,
    seq: () => ring.seq,
    hasListeners: () => audiences.hasListeners("snapshots"),
    publish: (text) => audiences.publishPassing("snapshots", text),
  });
  const streams = createAgentStreams({
    crew,
    projects,
    timers,
    now: () => clock.now(),
    publish: (text) => audiences.publish("agent_stream", text),
  });
  live.onEvent(streams.onLiveEvent);
  liveChecks.onOutput(streams.onCheckOutput);
  live.onEvent(({ runId }, { type }) => {
    if (type === "usage" && projects.ofRun(runId) !== undefined) snapshots.changed();
  });
  let isPastLost = false;

  const resume = (cursor: Cursor): ResumeDecision => {
    const { seq, start } = ring;
    const isReplayed = limits.worldReplayEntries > 0;
    return resumeFrom(cursor, { sceneId, epoch: log.epoch, seq, start, isPastLost, isReplayed });
  };

  return {
    get seq() {
      return ring.seq;
    },
    onBatch(entries) {
      streams.flushBefore(entries);
      for (const { channel, text } of ring.add(entries)) audiences.publish(channel, text);
      streams.onBatch(entries);
      if (entries.some(affectsSnapshot)) snapshots.changed();
    },
    changed: () => snapshots.changed(),
    forget() {
      ring.clear();
      snapshots.changed();
    },
    resumeFrom: resume,
    subscribe(peer, { channels, cursor }) {
      const set = channelSet(channels);
      if (cursor !== undefined) {
        // Asked again, since the ring may have moved on after the hello.
        const { status, reason } = resume(cursor);
        if (status === "snapshot_required" && hasChannel(set, "events")) {
          peer.send(resyncEvent(deps, reason, cursor.last_seq));
        }
        if (status === "resumed") {
          for (const text of ring.since(cursor.last_seq, set)) peer.send(text);
        }
      }
      peer.send(snapshots.present());
      if (hasChannel(set, "agent_stream")) for (const text of streams.current()) peer.send(text);
      return audiences.join(peer, set);
    },
    async recover() {
      const after = Math.max(0, ring.seq - limits.worldReplayEntries);
      try {
        await readPast(ring, log, after);
      } catch (cause) {
        isPastLost = true;
        report(new Fault("the world's past could not be read", { after }, cause));
      }
    },
    close() {
      snapshots.close();
      streams.close();
    },
  };
}

async function readPast(ring: ReplayRing, log: LogReader, after: number): Promise<void> {
  const { start } = ring;
  if (after >= start) return;
  const past = await Array.fromAsync(log.read({ after, before: start + 1 }));
  // Unless it has let go of what followed meanwhile, or was cleared.
  if (ring.start === start) ring.addPast(after, past);
}

function resyncEvent(
  { clock, nextNumber }: Pick<WorldEgressDeps, "clock" | "nextNumber">,
  reason: ResumeReason,
  last: number,
): string {
  const stamp = { id: `evt_resync_${nextNumber()}`, ts: clock.now() };
  const about = { project_id: SYSTEM_PROJECT, reason, last_seq: last };
  return message("event", stamp, { name: "resync_fallback_snapshot", ...about });
}

export interface Subscription {
  readonly channels: { readonly [C in WorldChannel]?: boolean };
  readonly cursor?: Cursor | undefined;
}
