import { createGatewayClient } from "@atrium/client";

const { ATRIUM_URL: url = "http://127.0.0.1:18789", ATRIUM_TOKEN: token } = process.env;
await using client = createGatewayClient({ url, token });
await client.connect();

const message = process.argv[2] ?? "Hello";
for await (const update of client.chat({ sessionKey: "main", message })) {
  if (update.type === "text") process.stdout.write(update.delta);
  if (update.type === "lost") console.error("lost the connection; reconnecting");
  if (update.type === "end") console.log(`\n(${update.how})`);
}
