/** A server under load: which process it is, and how to talk to it without knowing which one it is. */
import type { FrameTest, RawSocket } from "../load/raw-socket.ts";

export interface Target extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  /** A peer that is in: whatever handshake there is has been accepted. */
  join(): Promise<RawSocket>;
  /** What a peer sends to have one event sent to everybody. */
  readonly publication: string;
  /** Tells such an event from everything else. */
  readonly isEvent: FrameTest;
}

/** How many may be on their way in: fewer than servers let wait at their door. */
const JOINING = 64;

export async function joinMany(target: Pick<Target, "join">, count: number): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  let left = count;
  const joinInTurn = async (): Promise<void> => {
    while (left-- > 0) sockets.push(await target.join());
  };
  await Promise.all(Array.from({ length: Math.min(JOINING, count) }, joinInTurn));
  return sockets;
}
