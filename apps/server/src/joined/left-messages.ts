/** What people left for a session, on its way there: whichever way is first takes it, and no other does. */
import {
  isLeft,
  joinedSession,
  type DeliveryMoment,
  type Dispatch,
  type JoinedSessions,
  type LeftMessage,
} from "@atrium/core";

export interface MessageHandover {
  readonly text: string;
  /** The program has it. */
  readonly confirm: (moment: DeliveryMoment) => Promise<void>;
  /** The program will not have it this way. */
  readonly release: () => void;
}

export class LeftMessages {
  readonly #dispatch: Dispatch;
  readonly #sessions: Pick<JoinedSessions, "get">;
  readonly #underWay = new Set<string>();

  constructor(deps: {
    readonly dispatch: Dispatch;
    readonly sessions: Pick<JoinedSessions, "get">;
  }) {
    this.#dispatch = deps.dispatch;
    this.#sessions = deps.sessions;
  }

  hasWaiting(id: string): boolean {
    return this.#waiting(id).length > 0;
  }

  /** Undefined: nothing waits. */
  take(id: string): MessageHandover | undefined {
    const waiting = this.#waiting(id);
    if (waiting.length === 0) return undefined;
    const messageIds = waiting.map(({ messageId }) => messageId);
    const release = (): void => messageIds.forEach((each) => this.#underWay.delete(each));
    for (const messageId of messageIds) this.#underWay.add(messageId);
    return {
      text: inWords(waiting),
      confirm: async (moment) => {
        await this.#dispatch(joinedSession, id, { type: "deliver-messages", messageIds, moment });
        release();
      },
      release,
    };
  }

  /** The oldest alone, for a program that confirms each by itself. One that it has turned away goes another way. */
  takeOne(id: string): { readonly message: LeftMessage; readonly release: () => void } | undefined {
    const message = this.#waiting(id).find(({ turnedAway }) => turnedAway === undefined);
    if (message === undefined) return undefined;
    const { messageId } = message;
    this.#underWay.add(messageId);
    return { message, release: () => void this.#underWay.delete(messageId) };
  }

  #waiting(id: string): readonly LeftMessage[] {
    const messages = this.#sessions.get(id)?.messages ?? [];
    return messages.filter((message) => isLeft(message) && !this.#underWay.has(message.messageId));
  }
}

/** Who speaks is said, because the program takes it for words of its own hook, or of its user. */
export function inWords(messages: readonly LeftMessage[]): string {
  return messages
    .map(({ by, text }) => `${by.name} left a message in Atrium: ${text}`)
    .join("\n\n");
}
