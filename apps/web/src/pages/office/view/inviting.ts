import { usePreferences, useOffice } from "../../../app/app.ts";

/** Whether whoever is here is here for the first time: nothing was asked for, and the invitation was not put away. */
export function useIsInviting(): boolean {
  const { invitation } = usePreferences();
  const isIdle = useOffice(({ snapshot }) => snapshot !== null && snapshot.projects.length === 0);
  return isIdle && invitation === "shown";
}
