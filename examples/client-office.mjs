import { createWorldClient } from "@atrium/client";

const { ATRIUM_URL: url = "http://127.0.0.1:18789", ATRIUM_TOKEN: token } = process.env;
using world = createWorldClient({ url, token });
world.on("event", ({ payload }) => console.log(payload.seq, payload.name));
await world.connect();

for (const { name, state } of world.snapshot.agents) console.log(`${name}: ${state}`);
await world.command("submit_request", { text: "Write a haiku about tides" });
await new Promise((resolve) =>
  world.on("event", ({ payload }) => {
    if (payload.name === "tasks_created") resolve();
  }),
);
