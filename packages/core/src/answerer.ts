/** Who answered something that was asked of people, and from where. */
export interface Answerer {
  /** Tells two people apart who go by the same name: a device, a connection. */
  readonly id: string;
  readonly name: string;
  /** The surface the answer came from: "gateway", "chat", … */
  readonly via: string;
}

/** For people to read. */
export function describeAnswerer({ name, via }: Answerer): string {
  return `${name} (${via})`;
}

/** Who is waiting: an agent's run in this server, or a client that asked and waits by itself. */
export type AskedBy = "agent" | "client";

/** Why something that was asked got no answer: nobody came, its run ended, or the server was restarted. */
export type Unanswered = "timeout" | "run-ended" | "restart";
