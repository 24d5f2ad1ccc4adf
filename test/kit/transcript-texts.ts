/** The words of a conversation, oldest first. */
import type { TestAtrium } from "./atrium.ts";
import type { RawPeer } from "./raw-peer.ts";

export async function textsOf(peer: RawPeer, sessionKey = "main"): Promise<readonly string[]> {
  const { messages } = await peer.ask("chat.history", { sessionKey });
  return messages.map(({ content }: { content: { text: string }[] }) => content[0]?.text);
}

export async function textsAt(atrium: TestAtrium, sessionKey: string): Promise<readonly string[]> {
  await using peer = await atrium.connect();
  return await textsOf(peer, sessionKey);
}
