/** `atrium deliver`, `update` and `revert`: what becomes of what was approved. */
import { writeFile } from "node:fs/promises";
import { DELIVERY_WAYS } from "@atrium/wire/world";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import { sendAndAwait } from "../server/await-event.ts";
import { connectWorld } from "../server/connect-world.ts";
import { explainRefusals } from "../server/explain-refusals.ts";
import { findServer } from "../server/find-server.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { readFile } from "./files/read-files.ts";

const JSON_OPTION = { json: { type: "boolean", help: "print JSON" } } as const;
const NAME_LENGTH = 200;
const SHORT_COMMIT = 12;

interface ConflictList {
  readonly reason: string;
  readonly paths: readonly { readonly path: string; readonly kind: string }[];
}

export const deliver = command({
  name: "deliver",
  calls: [["deliver PROJECT", "take what was approved: as a branch, a pull request or a file"]],
  options: {
    how: {
      type: "string",
      takes: "WAY",
      help: `${DELIVERY_WAYS.join(", ")}; without it, as the repository says`,
    },
    out: { type: "string", takes: "FILE", help: "where to write a patch, bundle or zip" },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: ["atrium deliver proj_abc", "atrium deliver proj_abc --how zip --out shop.zip"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const id = readOne("deliver", positionals, "Name a project.");
    const how = readWay(values.how);
    const place = await findServer(values, environment);
    using world = await connectWorld(place);
    return await explainRefusals(async () => {
      const wish = { project_id: id, ...(how !== undefined && { how }) };
      const delivery = await sendAndAwait(
        world,
        () => world.command("deliver_project", wish),
        (event) =>
          event.name === "project_delivered" && event.project_id === id ? event : undefined,
      );
      const { terminal } = environment;
      const isFile = delivery.ref.startsWith("/api/");
      if (isFile) {
        const file = values.out ?? `${id}.${delivery.how}`;
        await writeFile(file, await readFile(place, delivery.ref));
        terminal.err(terminal.errPaint.quiet(`written to ${plainLine(file, NAME_LENGTH)}\n`));
      }
      const text = `${plainLine(delivery.ref, NAME_LENGTH)} is at ${delivery.commit.slice(0, SHORT_COMMIT)} (${delivery.how}).\n`;
      if (values.json === true) terminal.out(`${JSON.stringify(delivery)}\n`);
      else if (!isFile) terminal.out(text);
      return EXIT.ok;
    });
  },
});

type DeliveryWay = (typeof DELIVERY_WAYS)[number];

function readWay(text: string | undefined): DeliveryWay | undefined {
  const way = DELIVERY_WAYS.find((each) => each === text);
  if (way !== undefined || text === undefined) return way;
  throw usageError("deliver", `--how takes one of: ${DELIVERY_WAYS.join(", ")}`);
}

export const update = command({
  name: "update",
  calls: [["update PROJECT", "merge what is new in its repository into a project"]],
  options: { ...JSON_OPTION, ...SERVER_OPTIONS },
  examples: ["atrium update proj_abc"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const id = readOne("update", positionals, "Name a project.");
    using world = await connectWorld(await findServer(values, environment));
    return await explainRefusals(async () => {
      const ending = await sendAndAwait(
        world,
        () => world.command("update_project", { project_id: id }),
        (event) => {
          if (event.project_id !== id) return undefined;
          return event.name === "line_updated" || event.name === "update_failed"
            ? event
            : undefined;
        },
      );
      if (ending.name === "update_failed") {
        throw conflictError("It cannot be brought up to date", ending);
      }
      const text = `${id} has everything that its repository has, at ${ending.base.slice(0, SHORT_COMMIT)}.\n`;
      environment.terminal.out(values.json === true ? `${JSON.stringify(ending)}\n` : text);
      return EXIT.ok;
    });
  },
});

export const revert = command({
  name: "revert",
  calls: [["revert ID", "take a merged change back, as a change of its own"]],
  options: { ...JSON_OPTION, ...SERVER_OPTIONS },
  examples: ["atrium revert art_abc_1"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const id = readOne("revert", positionals, "Name a deliverable.");
    using world = await connectWorld(await findServer(values, environment));
    return await explainRefusals(async () => {
      const ending = await sendAndAwait(
        world,
        () => world.command("revert_artifact", { artifact_id: id }),
        (event) => {
          const isEnding = event.name === "change_reverted" || event.name === "revert_failed";
          return isEnding && event.artifact_id === id ? event : undefined;
        },
      );
      if (ending.name === "revert_failed") throw conflictError("It cannot be taken back", ending);
      const text = `${id} is taken back, by ${ending.commit.slice(0, SHORT_COMMIT)}.\n`;
      environment.terminal.out(values.json === true ? `${JSON.stringify(ending)}\n` : text);
      return EXIT.ok;
    });
  },
});

function readOne(name: string, [id, extra]: readonly string[], advice: string): string {
  if (id === undefined) throw usageError(name, advice);
  if (extra !== undefined) throw usageError(name, `Unexpected argument: ${extra}`);
  return id;
}

function conflictError(what: string, { reason, paths }: ConflictList): CliError {
  const names = paths
    .map(({ path, kind }) => plainLine(`${path} (${kind})`, NAME_LENGTH))
    .join(", ");
  return new CliError(
    `${what}: ${plainLine(reason, NAME_LENGTH)}`,
    names === "" ? {} : { advice: `In conflict: ${names}` },
  );
}
