/** The one place where React and the office meet: an element that the office is put into, and told what to show. */
import { cozyOffice } from "@atrium/core";
import { use, useEffect, useRef, useState, type ReactNode } from "react";
import { useAppearance, useApp, useMedia, usePreferences, useTexts } from "../../app/app.ts";
import { useReceivers } from "./assigning/receivers.ts";
import { useStageDrops } from "./assigning/stage-drops.ts";
import { useMarks } from "./pointing/marks.ts";
import { useStagePointing } from "./pointing/stage-pointing.ts";
import type { PutOffice, Setting } from "./stage/mount-office.ts";
import { putPlan } from "./stage/mount-plan.ts";
import { putSketchThenOffice } from "./stage/mount-sketch.ts";
import { useCamera, useOpen } from "./view/camera-control.ts";
import { CoversContext } from "./view/covers.ts";
import { viewOfPicked } from "./view/picked-view.ts";

export function Stage(): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [office, setOffice] = useState<PutOffice>();
  const app = useApp();
  const camera = useCamera();
  const covers = use(CoversContext);
  const receivers = useReceivers();
  const words = useTexts();
  const open = useOpen();
  const { picture } = usePreferences();
  const { isNight, isMotionReduced } = useAppearance();
  const isNarrow = useMedia("(width < 640px)");
  const isPlan = picture === "plan" || (picture === "auto" && isNarrow);
  const { isPointing, pointing } = useStagePointing();
  const marks = useMarks();
  useStageDrops(place);
  const latest = useRef({ words, open, pointing });
  latest.current = { words, open, pointing };

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    const ending = new AbortController();
    const put = isPlan ? putPlan : putSketchThenOffice;
    const setting = {
      parent,
      app,
      scene: cozyOffice,
      words: () => latest.current.words,
      covers,
      onPick(picked: Parameters<typeof viewOfPicked>[0]) {
        // Pressed by a key while the tool is on; a pointer has pointed already.
        if (picked.kind === "agent" && latest.current.pointing.isOn()) {
          latest.current.pointing.pointAtAgent(picked.id);
          return;
        }
        app.sendSignal({ type: "user.click", payload: { target: picked.id } });
        latest.current.open(viewOfPicked(picked, app.shown.getState().snapshot));
      },
      pointing: {
        isOn: () => latest.current.pointing.isOn(),
        onPoint: (spot, agentId) => latest.current.pointing.onPoint(spot, agentId),
        onDraw: (bounds) => latest.current.pointing.onDraw(bounds),
        onZone: (bounds) => latest.current.pointing.onZone(bounds),
      } satisfies Setting["pointing"],
      tier: picture === "plan" ? ("auto" as const) : picture,
      signal: ending.signal,
    };
    const begin = async (): Promise<void> => {
      const done = await put(setting);
      if (done === undefined) return;
      ending.signal.addEventListener("abort", camera.operate(done));
      ending.signal.addEventListener(
        "abort",
        receivers.operate((at) => done.agentAt(at)),
      );
      setOffice(done);
    };
    void begin();
    return () => ending.abort();
  }, [app, camera, covers, receivers, isPlan, picture]);

  useEffect(() => {
    office?.setNight(isNight);
    office?.setReducedMotion(isMotionReduced);
    // Labels speak the language of the page.
    office?.refresh();
  }, [office, isNight, isMotionReduced, words]);

  useEffect(() => office?.mark(marks), [office, marks]);

  return (
    <div
      ref={place}
      className={isPointing ? "office-mount is-pointing" : "office-mount"}
      role="group"
      aria-label={words.officeLabel}
    />
  );
}
