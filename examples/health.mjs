import { WebSocket } from "ws";

const ws = new WebSocket(process.env.ATRIUM_URL ?? "ws://127.0.0.1:18789");
ws.on("open", () => {
  ws.send(
    JSON.stringify({
      type: "req",
      id: "c1",
      method: "connect",
      params: {
        minProtocol: 3,
        maxProtocol: 3,
        client: {
          id: "cli",
          displayName: "example",
          version: "dev",
          platform: "node",
          mode: "cli",
        },
        auth: { token: process.env.ATRIUM_TOKEN },
      },
    }),
  );
});
ws.on("message", (data) => {
  const msg = JSON.parse(String(data));
  if (msg.type !== "res") return;
  if (!msg.ok) return fail(msg.error.message);
  if (msg.id === "c1") ws.send(JSON.stringify({ type: "req", id: "h1", method: "health" }));
  if (msg.id === "h1") {
    console.log("health:", msg.payload);
    ws.close();
  }
});
ws.on("error", (error) => fail(error.message || error.code));

function fail(why) {
  console.error(`no health from ${ws.url}: ${why}`);
  process.exitCode = 1;
  ws.close();
}
