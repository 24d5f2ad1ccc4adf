import { createGatewayClient } from "@atrium/client";

const { ATRIUM_URL: url = "http://127.0.0.1:18789", ATRIUM_TOKEN: token } = process.env;
await using client = createGatewayClient({ url, token });
await client.connect();

const { agents } = await client.call("health", {});
console.log(`${agents.length} agents:`, agents.map(({ name }) => name).join(", "));
