// Serves a conversation over the bridge alone: plain frames on a WebSocket, no plugin, no terminal.
// docs/claude-code.md explains how Atrium starts it, and how you start it yourself.
import { WebSocket } from "ws";

const {
  SYNTHESIS_BRIDGE_URL: url = "ws://127.0.0.1:18789/bridge",
  SYNTHESIS_BRIDGE_TOKEN: token = "",
  SYNTHESIS_OPENCLAW_SESSION: session = "agent:main:main",
  SYNTHESIS_CLAUDE_SESSION: claudeSession = "example",
} = process.env;

const seen = new Set(); // After a broken connection a message may arrive twice.
const verdicts = new Map(); // Code -> the callback that waits for the answer.
let failures = 0;
let calls = 0;

function connect() {
  const socket = new WebSocket(url);
  const send = (frame) => socket.send(JSON.stringify(frame));
  const reply = (text, replyTo) => {
    const args = { text, reply_to: replyTo };
    send({ type: "tool_call", call_id: `tc_${++calls}`, tool: "reply", args });
  };

  async function answer({ content, meta }) {
    const [word, ...rest] = content.split(" ");
    if (word !== "run") return reply(`${meta.user}, you said: ${content}`, meta.message_id);
    const behavior = await mayRun(rest.join(" "));
    reply(behavior === "allow" ? "It was allowed." : "It was not allowed.", meta.message_id);
  }

  function mayRun(command) {
    const letters = "abcdefghijkmnopqrstuvwxyz"; // Without l, which looks like a one.
    const code = Array.from({ length: 5 }, () => letters[Math.floor(Math.random() * 25)]).join("");
    const frame = { type: "permission_request", request_id: code, tool: "Bash", args: { command } };
    send({ ...frame, rationale: "You asked for it." });
    return new Promise((resolve) => verdicts.set(code, resolve));
  }

  socket.on("open", () => {
    const { pid } = process;
    send({ type: "hello", openclaw_session: session, claude_session: claudeSession, pid, token });
  });
  socket.on("message", (data) => {
    const frame = JSON.parse(data);
    if (frame.type === "hello_ack") failures = 0;
    if (frame.type === "ping") send({ type: "pong", ts: frame.ts });
    if (frame.type === "permission_reply") verdicts.get(frame.request_id)?.(frame.behavior);
    if (frame.type === "tool_result" && !frame.ok) console.error(frame.error);
    if (frame.type !== "inbound_message" || seen.has(frame.request_id)) return;
    seen.add(frame.request_id);
    void answer(frame);
  });
  socket.on("error", ({ message }) => console.error(message));
  socket.on("close", (code, reason) => {
    if (code === 1000 || code >= 4500) process.exit(code === 1000 ? 0 : 1);
    console.error(`${code} ${reason}`);
    setTimeout(connect, Math.min(30_000, 1_000 * 2 ** failures++));
  });
}

connect();
