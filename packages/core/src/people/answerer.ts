/** Who answered something that was asked of people, by what they came in, and from where. */
export interface Answerer {
  /** Tells two people apart who go by the same name: a device, a connection. */
  readonly id: string;
  readonly name: string;
  /** The surface the answer came from: "gateway", "chat", … */
  readonly via: string;
  /** Left out by versions that did not keep it. */
  readonly credential?: AnswererCredential;
  /** The address it came from. */
  readonly from?: string;
}

export interface AnswererCredential {
  /**
   * Two decide nothing. "run": what an agent's process was given, or whatever such a process has shown.
   * "elsewhere": the shared token from another machine, with nothing that a person has let in.
   */
  readonly kind: "token" | "browser" | "device" | "local" | "run" | "elsewhere";
  /** Which of its kind. Never a secret. */
  readonly id?: string;
}

/** For people to read. */
export function describeAnswerer(answerer: Answerer): string {
  return `${answerer.name} (${[answerer.via, ...howTheyCame(answerer)].join(", ")})`;
}

/** By which credential, and from where; empty where that was not kept. */
export function describeOrigin(answerer: Answerer): string {
  return howTheyCame(answerer).join(" ");
}

const SHORT_ID = 8;

export function describeCredential({ kind, id }: AnswererCredential): string {
  return id === undefined ? kind : `${kind} ${id.slice(0, SHORT_ID)}`;
}

function howTheyCame({ credential, from }: Answerer): readonly string[] {
  return [
    ...(credential === undefined ? [] : [describeCredential(credential)]),
    ...(from === undefined ? [] : [`from ${from}`]),
  ];
}

/** Why a command's author decides nothing: those that say by whom they are must be a known person's. */
export function findUndecidable(command: unknown): UndecidableCode | undefined {
  if (typeof command !== "object" || command === null || !("by" in command)) return undefined;
  const { by } = command;
  if (typeof by !== "object" || by === null || !("credential" in by)) return undefined;
  const { credential } = by;
  if (typeof credential !== "object" || credential === null || !("kind" in credential)) {
    return undefined;
  }
  if (credential.kind === "run") return "credential.run";
  return credential.kind === "elsewhere" ? "credential.elsewhere" : undefined;
}

export type UndecidableCode = "credential.run" | "credential.elsewhere";

/** Who is waiting: an agent's run in this server, a client that asked and waits by itself, or a joined session. */
export type Requester = "agent" | "client" | "session";

/**
 * Why something that was asked got no answer: nobody came, its run ended, the server was restarted, or it was
 * answered in the terminal of the joined session that asked.
 */
export type NoAnswerReason = "timeout" | "run-ended" | "restart" | "elsewhere";
