import type { ReactNode } from "react";
import { useTexts } from "../../app/app.ts";
import { pathOf } from "../../app/route.ts";
import { IconButton } from "../../ui/controls.tsx";
import { Link } from "../../ui/link.tsx";
import { PointButton } from "./pointing/point-button.tsx";
import { useCamera } from "./view/camera-control.ts";
import { DOCKED, type View } from "./view/view.ts";

export function Dock({ view }: { readonly view: View | undefined }): ReactNode {
  const words = useTexts();
  const camera = useCamera();
  return (
    <nav className="dock" aria-label={words.viewsLabel}>
      {DOCKED.map((name) => (
        <Link
          key={name}
          to={pathOf("office", name)}
          className={name === "ask" ? "dock-link is-ask" : "dock-link"}
          isCurrent={view?.kind === name || (view?.kind === "panel" && view.name === name)}
        >
          {words.views[name]}
        </Link>
      ))}
      <PointButton />
      <IconButton
        className="icon-button dock-room"
        label={words.wholeRoom}
        title={words.wholeRoom}
        onClick={() => camera.frameRoom()}
      >
        <span aria-hidden="true">⤢</span>
      </IconButton>
    </nav>
  );
}
