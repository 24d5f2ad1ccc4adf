/** `atrium build`: has something built, shows how it goes, and asks here what the agent wants to know. */
import { randomUUID } from "node:crypto";
import { text } from "node:stream/consumers";
import { EXIT } from "../complaint.ts";
import { misused, readArgs, SERVER_OPTIONS } from "../read-args.ts";
import { findServer } from "../server/find-server.ts";
import { meetServer } from "../server/meet-server.ts";
import type { Surroundings } from "../surroundings.ts";
import { USAGE } from "../usage.ts";
import { attend } from "./build/attend.ts";
import { BuildView } from "./build/build-view.ts";
import { JsonView } from "./build/json-view.ts";

export async function build(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { terminal, now } = surroundings;
  const { values, positionals } = readArgs(args, {
    ...SERVER_OPTIONS,
    agent: { type: "string" },
    follow: { type: "string" },
    json: { type: "boolean" },
  });
  if (values.help === true) {
    terminal.out(USAGE);
    return EXIT.ok;
  }
  const place = findServer(values, surroundings);
  const given = positionals.join(" ").trim();
  const { follow: followed, agent } = values;
  if (followed !== undefined && given !== "") {
    throw misused("--follow looks at a build; it takes no prompt.");
  }
  const isPiped = followed === undefined && given === "" && !terminal.hasPerson;
  const prompt = isPiped ? (await text(terminal.stdin)).trim() : given;
  if (followed === undefined && prompt === "") {
    throw misused('There is nothing to build. Say what: atrium build "a bot that waters plants"');
  }
  await using client = await meetServer(place);
  const asked = { prompt, idempotencyKey: randomUUID(), ...(agent !== undefined && { agent }) };
  const id = followed ?? (await client.call("build.start", asked)).id;
  const { build: known } = await client.call("build.get", { id });
  const view = values.json === true ? new JsonView(terminal) : new BuildView(terminal, known, now);
  return await attend(client, id, view, terminal);
}
