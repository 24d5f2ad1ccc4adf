import { followSignals } from "@atrium/client";

const { ATRIUM_URL: url = "http://127.0.0.1:18789", ATRIUM_TOKEN: token } = process.env;
for await (const update of followSignals({ url, token, type: ["tool_*"], after: "0" })) {
  if (update.type !== "signal") continue;
  const { signal, position } = update;
  console.log(position, signal.type, signal.payload.toolName);
  if (signal.type === "tool_result") break;
}
