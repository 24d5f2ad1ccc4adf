/** Permissions and questions that wait for a person, in a store: read once, then kept true by what is told. */
import type { AlwaysScope } from "@atrium/wire";
import type { ApprovalDecision, PendingApproval, QuestionRecord } from "@atrium/wire/gateway";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { GatewayConnection } from "../../app/server/gateway-connection.ts";

export interface RequestView {
  readonly approvals: readonly PendingApproval[];
  readonly questions: readonly QuestionRecord[];
}

export interface OpenRequests {
  readonly store: StoreApi<RequestView>;
  decide(id: string, decision: ApprovalDecision, scope?: AlwaysScope): Promise<void>;
  answer(id: string, answers: Readonly<Record<string, string[]>>): Promise<void>;
  close(): void;
}

export function openRequests(line: GatewayConnection): OpenRequests {
  const store = createStore<RequestView>(() => ({ approvals: [], questions: [] }));
  const read = async (): Promise<void> => {
    try {
      const [approvals, { questions }] = await Promise.all([
        line.call("exec.approval.list", {}),
        line.call("question.list", {}),
      ]);
      store.setState({ approvals, questions: questions.filter(isOpen) });
    } catch {
      // Not connected; it is read again on return.
    }
  };
  const drop = (id: string): void =>
    store.setState(({ approvals, questions }) => ({
      approvals: approvals.filter((each) => each.id !== id),
      questions: questions.filter((each) => each.id !== id),
    }));
  const closers = [
    line.onEvent("exec.approval.requested", (approval) =>
      store.setState(({ approvals }) => ({ approvals: added(approvals, approval) })),
    ),
    line.onEvent("question.requested", (question) =>
      store.setState(({ questions }) => ({ questions: added(questions, question) })),
    ),
    line.onEvent("exec.approval.resolved", ({ id }) => drop(id)),
    line.onEvent("question.resolved", ({ id }) => drop(id)),
    line.onGap(() => void read()),
    line.onState(({ state }) => void (state === "ready" && read())),
  ];
  void read();
  return {
    store,
    async decide(id, decision, scope) {
      await line.call("exec.approval.resolve", { id, decision, ...(scope && { scope }) });
    },
    async answer(id, answers) {
      await line.call("question.resolve", { id, answers: { answers } });
    },
    close() {
      for (const close of closers) close();
    },
  };
}

/** Of one conversation; by its key. */
export function requestsIn({ approvals, questions }: RequestView, sessionKey: string): RequestView {
  return {
    approvals: approvals.filter(({ request }) => request.sessionKey === sessionKey),
    questions: questions.filter((each) => each.sessionKey === sessionKey),
  };
}

function added<Item extends { readonly id: string }>(
  items: readonly Item[],
  item: Item,
): readonly Item[] {
  return [...items.filter(({ id }) => id !== item.id), item];
}

function isOpen({ status }: QuestionRecord): boolean {
  return status === "pending";
}
