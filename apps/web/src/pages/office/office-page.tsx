/** The office: the room, what needs a person, and one panel at a time beside them. */
import { useEffect, useMemo, type ReactNode } from "react";
import { useAppearance, useApp, useRoute, useOffice } from "../../app/app.ts";
import { BROWSER_STREAMS } from "../../app/server/browser-streams.ts";
import { Announcer } from "./announcer.tsx";
import { createReceivers, ReceiversContext } from "./assigning/receivers.ts";
import { AttentionList } from "./attention/attention-list.tsx";
import { createSeen, SeenContext } from "./attention/seen.ts";
import { Dock } from "./dock.tsx";
import { Invitation } from "./first-minute/invitation.tsx";
import { RehearsalNote } from "./first-minute/rehearsal-note.tsx";
import { Panel } from "./panel.tsx";
import { createPointingStore, PointingContext } from "./pointing/pointing-store.ts";
import { ReviewMode, useReviewed } from "./review/review-mode.tsx";
import { Stage } from "./stage.tsx";
import { PastBanner } from "./timeline/past-banner.tsx";
import { Scrubber } from "./timeline/scrubber.tsx";
import { createCameraControl, CameraContext } from "./view/camera-control.ts";
import { CoversContext, createCovers } from "./view/covers.ts";
import { RequestsContext, createPendingRequests, usePlanOpening } from "./view/pending-requests.ts";
import { readView } from "./view/view.ts";

export function OfficePage(): ReactNode {
  const view = readView(useRoute().show);
  const camera = useMemo(createCameraControl, []);
  const covers = useMemo(createCovers, []);
  const receivers = useMemo(createReceivers, []);
  const seen = useMemo(createSeen, []);
  const requests = useMemo(createPendingRequests, []);
  usePlanOpening(requests);
  const { sendSignal } = useApp();
  const pointing = useMemo(() => createPointingStore(sendSignal, BROWSER_STREAMS), [sendSignal]);
  useEffect(() => pointing.listen(), [pointing]);
  const agents = useOffice(({ snapshot }) => snapshot?.agents);
  useEffect(() => camera.look(agents ?? []), [camera, agents]);
  const { isNight } = useAppearance();
  const reviewed = useReviewed(view?.kind === "artifact" ? view.id : undefined);
  return (
    <CameraContext value={camera}>
      <CoversContext value={covers}>
        <PointingContext value={pointing}>
          <ReceiversContext value={receivers}>
            <RequestsContext value={requests}>
              <SeenContext value={seen}>
                <div
                  className="office-page"
                  data-open={view !== undefined}
                  data-mode={reviewed === undefined ? undefined : "review"}
                  data-night={isNight}
                >
                  <h1 className="visually-hidden">Atrium</h1>
                  <div className="office-stage" inert={reviewed !== undefined}>
                    <Stage />
                    <PastBanner />
                  </div>
                  <div className="office-left" ref={covers.ref}>
                    <Invitation />
                    <AttentionList />
                  </div>
                  {view !== undefined && reviewed === undefined && <Panel view={view} />}
                  {reviewed !== undefined && (
                    <ReviewMode key={reviewed.artifact_id} artifact={reviewed} />
                  )}
                  <RehearsalNote />
                  <div className="office-bottom">
                    <Dock view={view} />
                    <Scrubber />
                  </div>
                  <Announcer />
                </div>
              </SeenContext>
            </RequestsContext>
          </ReceiversContext>
        </PointingContext>
      </CoversContext>
    </CameraContext>
  );
}
