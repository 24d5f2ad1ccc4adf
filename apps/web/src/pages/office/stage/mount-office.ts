import type { App } from "../../../app/app.ts";
import type { Texts } from "../../../i18n/texts.ts";
import { createPlainLabel } from "../../../office/labels/plain-label.ts";
/** The 3D office in an element, fed by what is shown. Loaded when it is needed, so that the page does not wait for it. */
import {
  isOnFloor,
  ontoFloor,
  type FloorMarks,
  type Spot,
} from "../../../office/marks/floor-marks.ts";
import {
  listenForPointing,
  type PlaceOnPage,
  type Pointing,
  type SpotAt,
} from "../../../office/marks/pointing-gesture.ts";
import type { SceneManifest } from "../../../office/state/scene-manifest.ts";
import type { Picked } from "../../../office/view/picking.ts";
import type { Tier } from "../../../office/view/quality.ts";
import { shownTime } from "../../../world/shown-office.ts";
import { whatItDoes } from "../text/agent-text.ts";
import type { Camera } from "../view/camera-control.ts";
import type { Covers } from "../view/covers.ts";

export interface Setting {
  readonly parent: HTMLElement;
  readonly app: Pick<App, "shown" | "world">;
  readonly scene: SceneManifest;
  readonly words: () => Texts;
  readonly covers: Pick<Covers, "watch"> | null;
  readonly onPick: (picked: Picked) => void;
  readonly pointing: StagePointing;
  readonly tier: Tier | "auto";
  readonly signal: AbortSignal;
}

const JUMP_MS = 1_000;

export interface StagePointing extends Omit<Pointing, "onPoint"> {
  /** `agentId` is who was pressed, if anyone. */
  readonly onPoint: (spot: Spot, agentId: string | undefined) => void;
}

export interface PutOffice extends Camera {
  /** Who is drawn there, or named. */
  agentAt(place: PlaceOnPage): string | undefined;
  mark(marks: FloorMarks): void;
  setNight(isNight: boolean): void;
  setReducedMotion(isReduced: boolean): void;
  /** After the words have changed. */
  refresh(): void;
}

/** Undefined when it is no longer wanted. */
export async function putOffice(setting: Setting): Promise<PutOffice | undefined> {
  const { mountOffice } = await import("../../../office/mount-office.ts");
  const { parent, app, scene, words, covers, onPick, pointing, tier, signal } = setting;
  if (signal.aborted) return undefined;
  const { shown, world } = app;
  const mounted = mountOffice(parent, {
    scene,
    clock: () => shownTime(shown.getState(), world.store.getState(), Date.now()),
    createLabel: (agentId) =>
      createPlainLabel(
        agentId,
        (figure) => whatItDoes(figure, shown.getState().office.tasks, words()),
        (id) => onPick({ kind: "agent", id }),
      ),
    onPick: (picked) => picked !== undefined && onPick(picked),
    tier,
  });
  const { engine, canvas } = mounted;
  const onCanvas = ({ clientX, clientY }: PlaceOnPage): readonly [number, number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };
  const spotAt: SpotAt = (place, isStrict) => {
    const spot = engine.floorAt(...onCanvas(place));
    if (spot === undefined || (isStrict && !isOnFloor(spot, scene.size))) return undefined;
    return ontoFloor(spot, scene.size);
  };
  const onPoint: Pointing["onPoint"] = (spot, { place }) => {
    const picked = engine.pick(...onCanvas(place));
    pointing.onPoint(spot, picked?.kind === "agent" ? picked.id : undefined);
  };
  listenForPointing(parent, spotAt, { ...pointing, onPoint }, signal);
  engine.show(shown.getState().office);
  const unsubscribe = shown.subscribe((now, before) => {
    engine.show(now.office);
    // Between two moments far apart nobody walks; a past that is played goes on where it was.
    const [time, timeBefore] = [now, before].map((each) =>
      shownTime(each, world.store.getState(), Date.now()),
    );
    if (Math.abs((time ?? 0) - (timeBefore ?? 0)) > JUMP_MS) engine.jump();
  });
  const unwatch = covers?.watch(parent, (lying) => engine.setCovers(lying));
  signal.addEventListener("abort", () => {
    unwatch?.();
    unsubscribe();
    mounted.dispose();
  });
  return {
    mark: (marks) => engine.setMarks(marks),
    agentAt(place) {
      const labeled = agentIn(document.elementFromPoint(place.clientX, place.clientY));
      if (labeled !== undefined) return labeled;
      const picked = engine.pick(...onCanvas(place));
      return picked?.kind === "agent" ? picked.id : undefined;
    },
    flyTo: (id) => engine.flyTo(id),
    follow: (id) => engine.follow(id),
    frameRoom: () => engine.frameRoom(),
    setNight: (isNight) => engine.setNight(isNight),
    setReducedMotion: (isReduced) => engine.setReducedMotion(isReduced),
    refresh: () => engine.show(shown.getState().office),
  };
}

/** Whose label or figure an element belongs to. */
export function agentIn(target: EventTarget | null): string | undefined {
  const agent = target instanceof Element ? target.closest("[data-agent]") : null;
  return agent?.getAttribute("data-agent") ?? undefined;
}
