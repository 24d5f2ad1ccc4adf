/** What was asked for in this page and is not planned yet: its plan is shown once it is there. */
import { createContext, use, useEffect } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { useApp, useOffice } from "../../../app/app.ts";
import { useOpen } from "./camera-control.ts";

export interface PendingRequests {
  readonly store: StoreApi<{ readonly ids: readonly string[] }>;
  add(projectId: string): void;
  remove(projectId: string): void;
}

export function createPendingRequests(): PendingRequests {
  const store = createStore<{ readonly ids: readonly string[] }>(() => ({ ids: [] }));
  return {
    store,
    add: (projectId) => store.setState(({ ids }) => ({ ids: [...ids, projectId] })),
    remove: (projectId) =>
      store.setState(({ ids }) => ({ ids: ids.filter((each) => each !== projectId) })),
  };
}

export const RequestsContext = createContext<PendingRequests>(createPendingRequests());

export function usePendingRequests(): PendingRequests {
  return use(RequestsContext);
}

/** Opens the plan of what was asked for here, unless the person looks at something else by then. */
export function usePlanOpening(requests: PendingRequests): void {
  const { navigation } = useApp();
  const open = useOpen();
  const { ids } = useStore(requests.store);
  const planned = useOffice(({ snapshot, past }) =>
    past === null
      ? snapshot?.projects.find(
          ({ project_id, status }) => status === "planned" && ids.includes(project_id),
        )?.project_id
      : undefined,
  );
  useEffect(() => {
    if (planned === undefined) return;
    requests.remove(planned);
    const { page, show } = navigation.store.getState();
    if (page === "office" && show === undefined) open({ kind: "plan", id: planned });
  }, [requests, planned]);
}
