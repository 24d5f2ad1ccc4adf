/** A server whose agents are a model with a price: every call of it is 20 cents. */
import { mkdtempDisposableSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestAtrium, type TestAtrium } from "./atrium.ts";
import type { Behavior } from "./model-server/behavior.ts";
import { openModelServer, type ModelRequest } from "./model-server/model-server.ts";

const USAGE = { inputTokens: 100, outputTokens: 20 };
const PRICE = { inputPerMillion: 1_000, outputPerMillion: 5_000 };
const TASK = { title: "Write the copy", description: "Short.", role: "writer" };
const PLAN = JSON.stringify({ title: "Copy", summary: "One thing.", tasks: [TASK] });

export interface PricedOffice extends AsyncDisposable {
  readonly atrium: TestAtrium;
}

export async function openPricedOffice(settings: object): Promise<PricedOffice> {
  await using opened = new AsyncDisposableStack();
  const model = opened.use(await openModelServer(decide));
  const home = opened.use(mkdtempDisposableSync(join(tmpdir(), "atrium-priced-")));
  const runtime = { type: "model", provider: "openai-compatible", model: "m", price: PRICE };
  const agents = [
    { id: "agent_bd", name: "BD", role: "front desk", runtime: "local" },
    { id: "agent_writer_1", name: "Writer", role: "writer", runtime: "local" },
    { id: "agent_unpriced_1", name: "Unpriced", role: "extra", runtime: "unpriced" },
    { id: "agent_free_1", name: "Free", role: "extra", runtime: "rehearsal" },
  ];
  const { price: _price, ...unpriced } = runtime;
  const { baseUrl } = model;
  const runtimes = { local: { ...runtime, baseUrl }, unpriced: { ...unpriced, baseUrl } };
  const file = join(home.path, "atrium.config.json");
  writeFileSync(file, JSON.stringify({ runtimes, agents, ...settings }));
  const atrium = opened.use(await openTestAtrium({ home: home.path }));
  const held = opened.move();
  return { atrium, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Plans in one call, and works in three: it asks, delivers, and is done. */
function decide({ body }: ModelRequest): Behavior {
  const said = JSON.stringify(body.messages);
  const says = (text: string): Behavior => ({ type: "answer", chunks: [text], usage: USAGE });
  const calls = (name: string, input: unknown): Behavior => ({
    type: "answer",
    toolCalls: [{ name, input }],
    usage: USAGE,
  });
  if (said.includes("Plan this for the team")) return says(PLAN);
  if (said.includes("Read it again")) {
    return { type: "answer", chunks: ["Hello."], usage: { ...USAGE, cachedTokens: 60 } };
  }
  if (!said.includes("Task 1 of 1")) return says("Hello.");
  const results = body.messages.filter(({ role }: { role: string }) => role === "tool").length;
  if (results === 0) return calls("ask", { question: "Which tone?", options: ["Warm", "Dry"] });
  if (results === 1) return calls("deliver_artifact", { name: "copy.md", content: "# Copy" });
  return says("Done.");
}
