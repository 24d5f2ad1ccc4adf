/** What every server is made to tell its peers: the same message, so that the bytes are comparable. */
export const MESSAGE = "hello there, everyone";

/** The payload of the event that Atrium makes of the message; the others are handed it whole. */
export const CHAT_PAYLOAD = {
  runId: "inject-40217459-0179-4979-bfc8-a35dc374c246",
  sessionKey: "agent:main:main",
  agentId: "main",
  seq: 0,
  state: "final",
  message: {
    role: "assistant",
    content: [{ type: "text", text: MESSAGE }],
    timestamp: 1_794_733_214_482,
    stopReason: "stop",
    provider: "openclaw",
    model: "gateway-injected",
  },
} as const;
