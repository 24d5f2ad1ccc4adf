import { useEffect, type ReactNode } from "react";
import { useStore } from "zustand";
import { useTexts } from "../../../app/app.ts";
import { IconButton } from "../../../ui/controls.tsx";
import { usePointing } from "./pointing-store.ts";

/** The tool that makes presses point; Escape puts it away. */
export function PointButton(): ReactNode {
  const words = useTexts();
  const pointing = usePointing();
  const isOn = useStore(pointing.store, (view) => view.isOn);
  useEffect(() => {
    if (!isOn) return undefined;
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Escape") pointing.setOn(false);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [pointing, isOn]);
  return (
    <>
      <IconButton
        className="icon-button dock-point"
        label={words.pointTool}
        title={words.pointHelp}
        aria-pressed={isOn}
        onClick={() => pointing.setOn(!isOn)}
      >
        <span aria-hidden="true">◎</span>
        <span aria-hidden="true" className="dock-point-word">
          {words.pointTool}
        </span>
      </IconButton>
      {isOn && (
        <p className="point-help" role="status">
          {words.pointHelp}
        </p>
      )}
    </>
  );
}
