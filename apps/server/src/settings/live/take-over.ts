/**
 * Takes over what other nodes changed in the settings, in its order. While this node's file or the shared folder is in
 * the way it is behind, says so, and tries again by itself.
 */
import { accept, Fault, refuse, type Outcome } from "@atrium/core";
import type { Timers } from "../../platform/timers.ts";
import { messageOf, type SettingsEdit } from "./plan-change.ts";
import type { SettingsInEffect } from "./settings-in-effect.ts";
import type { SharedChanges } from "./shared-changes.ts";

export interface TakeOverDeps {
  readonly inEffect: Pick<SettingsInEffect, "ready">;
  readonly openShared: () => Promise<SharedChanges>;
  /** One after the other, whatever else changes what is in effect. */
  readonly inTurn: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** After a change took effect. */
  readonly onChange: () => Promise<void>;
  /** Why this node is behind; undefined: it is not any more. */
  readonly onBehind: (why: string | undefined) => void;
  readonly timers: Timers;
  readonly report: (fault: Fault) => void;
  readonly note: (what: string, context: Readonly<Record<string, unknown>>) => void;
}

export interface TakeOver extends Disposable {
  /** For whoever has its turn. */
  catchUp(shared: SharedChanges): Promise<Outcome<void>>;
  /** When it is its turn. */
  follow(): Promise<void>;
}

const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

export const LOST = refuse("settings.invalid", "the shared folder does not have this change");

export function createTakeOver(deps: TakeOverDeps): TakeOver {
  const { openShared, inTurn, onChange, onBehind, timers, report, note } = deps;
  let waitMs = MIN_WAIT_MS;
  let stopWaiting: (() => void) | undefined;
  let noted = "";
  let isOver = false;

  function end(why: string | undefined): void {
    onBehind(why);
    stopWaiting?.();
    stopWaiting = undefined;
    if (why === undefined) {
      waitMs = MIN_WAIT_MS;
      noted = "";
    } else if (!isOver) {
      stopWaiting = timers.after(waitMs, () => void follow());
      waitMs = Math.min(MAX_WAIT_MS, 2 * waitMs);
    }
  }

  /** Once, however often it is tried. */
  function isNew(what: string): boolean {
    const isAnother = what !== noted;
    noted = what;
    return isAnother;
  }

  async function catchUp(shared: SharedChanges): Promise<Outcome<void>> {
    for (const { seq, changeId, change } of await shared.missed()) {
      const taken = change === undefined ? LOST : await take(change);
      if (!taken.ok) {
        const { code, detail: why = code } = taken;
        if (isNew(`${changeId} ${why}`)) note(NOT_TAKEN, { changeId, code, why });
        // What is the matter with the file may pass.
        if (code === "settings.unreadable" || code === "settings.unwritable") {
          end(why);
          return taken;
        }
      }
      await shared.pass({ seq, changeId });
      if (taken.ok) await onChange();
    }
    end(undefined);
    return accept(undefined);
  }

  async function take(change: SettingsEdit): Promise<Outcome<void>> {
    const ready = await deps.inEffect.ready(change, true);
    if (!ready.ok) return ready;
    const written = (await ready.value?.write()) ?? accept(undefined);
    if (!written.ok) return written;
    const problem = await written.value?.take();
    return problem === undefined ? accept(undefined) : refuse("settings.unwritable", problem);
  }

  async function follow(): Promise<void> {
    if (isOver) return;
    await inTurn(async () => {
      try {
        await catchUp(await openShared());
      } catch (cause) {
        const why = messageOf(cause);
        if (isNew(why)) report(new Fault("changes of settings could not be taken over", {}, cause));
        end(why);
      }
    });
  }

  return {
    catchUp,
    follow,
    [Symbol.dispose]() {
      isOver = true;
      stopWaiting?.();
    },
  };
}

const NOT_TAKEN = "a change of settings was not taken over";
