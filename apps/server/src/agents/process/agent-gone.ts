/** An agent in a process of its own is not there, or not any more; the message is for a person. */
export class AgentGone extends Error {
  override readonly name = "AgentGone";
}
