/** Who would get the task that is being dragged: people in the picture are as good as those in the list of the team. */
import { createContext, use } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { PlaceOnPage } from "../../../office/marks/pointing-gesture.ts";

export type AgentAt = (place: PlaceOnPage) => string | undefined;

export interface Receivers {
  /** Whoever is under what is dragged. */
  readonly store: StoreApi<{ readonly agentId: string | undefined }>;
  readonly agentAt: AgentAt;
  mark(agentId: string | undefined): void;
  /** The stage says who is where in its picture; returns how to step down again. */
  operate(agentAt: AgentAt): () => void;
}

const NOBODY: AgentAt = () => undefined;

export function createReceivers(): Receivers {
  const store = createStore<{ readonly agentId: string | undefined }>(() => ({
    agentId: undefined,
  }));
  let operator = NOBODY;
  return {
    store,
    agentAt: (place) => operator(place),
    mark: (agentId) => store.setState({ agentId }),
    operate(agentAt) {
      operator = agentAt;
      return () => {
        if (operator === agentAt) operator = NOBODY;
      };
    },
  };
}

export const ReceiversContext = createContext<Receivers>(createReceivers());

export function useReceivers(): Receivers {
  return use(ReceiversContext);
}
