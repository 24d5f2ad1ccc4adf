/** `atrium review`: what waits for a verdict, one change whole, and what is said to it. */
import type { Snapshot } from "@atrium/client";
import type { LineComment } from "@atrium/wire/world";
import { CliError, EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import { connectWorld } from "../server/connect-world.ts";
import { explainRefusals } from "../server/explain-refusals.ts";
import { findServer, type ServerPlace } from "../server/find-server.ts";
import { columns } from "../terminal/columns.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { printCheckOutput } from "./files/check-output.ts";
import { readFile } from "./files/read-files.ts";
import { aimsText, overviewText } from "./review/change-text.ts";
import { showPatch } from "./review/patch-view.ts";
import { readChange, readPatch, type Change } from "./review/read-change.ts";
import { parseRemark, suggest } from "./review/remark.ts";
import { walkChange } from "./review/walk-change.ts";

type Artifact = Snapshot["artifacts"][number];
type Task = Snapshot["tasks"][number];

const NAME_LENGTH = 100;

export const review = command({
  name: "review",
  calls: [
    ["review", "list what waits for a review"],
    ["review ID [PATH]", "look at a deliverable of a task, and decide about it in a terminal"],
    ["review ID --approve", "approve it"],
    ["review ID --changes TEXT", "ask for changes, with comments on lines"],
    ["review ID --apply TEXT", "change lines yourself"],
    ["review ID --resolve COMMENT", "mark a comment as resolved"],
  ],
  options: {
    approve: { type: "boolean", help: "approve the newest version" },
    changes: { type: "string", takes: "TEXT", help: "say what should change" },
    comment: {
      type: "string",
      multiple: true,
      takes: '"PATH:LINE TEXT"',
      help: "on a line, on LINE-LINE, or on a removed one (-LINE); may be repeated",
    },
    apply: {
      type: "string",
      multiple: true,
      takes: '"PATH:LINE TEXT"',
      help: "put TEXT in place of the line or lines, as a version of your own; may be repeated",
    },
    resolve: {
      type: "string",
      multiple: true,
      takes: "COMMENT",
      help: "mark a comment as resolved; may be repeated",
    },
    version: { type: "string", takes: "N", help: "another version than the newest" },
    against: {
      type: "string",
      takes: "N",
      help: 'compared with version N, or with the "conflict" it resolves; without it, the base',
    },
    output: { type: "string", takes: "CHECK", help: "print all that a check has put out" },
    json: { type: "boolean", help: "print JSON" },
    ...SERVER_OPTIONS,
  },
  examples: [
    "atrium review",
    "atrium review task_abc_1",
    'atrium review art_abc_1 --comment "src/a.ts:12 Name it" --comment "src/a.ts:20-24 Why?"',
  ],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { terminal } = environment;
    const { approve: isApproval = false, changes, output, json: isJson = false } = values;
    const [id, path, extra] = positionals;
    const remarks = readRemarks("comment", values.comment);
    const edits = readRemarks("apply", values.apply).map(suggest);
    const { resolve: resolved = [] } = values;
    const isRework = changes !== undefined || remarks.length > 0;
    const acts = [isApproval, isRework, edits.length > 0, resolved.length > 0].filter(Boolean);
    if (extra !== undefined) throw usageError("review", `Unexpected argument: ${extra}`);
    if (acts.length > 1) {
      throw usageError("review", "Either --approve, ask for changes, --apply or --resolve.");
    }
    if (id === undefined && (acts.length > 0 || output !== undefined)) {
      throw usageError("review", "Name a deliverable or its task.");
    }
    const place = await findServer(values, environment);
    using world = await connectWorld(place);
    return await explainRefusals(async () => {
      if (id === undefined) {
        const waiting = waitingIn(world.snapshot);
        terminal.out(
          isJson
            ? `${JSON.stringify(waiting)}\n`
            : listText(waiting, world.snapshot, terminal.paint),
        );
        return EXIT.ok;
      }
      const artifact = findArtifact(world.snapshot, id);
      const seen = { artifact_id: artifact.artifact_id, expected_version: artifact.version };
      if (isApproval) return answer(world.command("approve_artifact", seen), "approved", terminal);
      if (isRework) {
        const wish = { instructions: changes ?? "", comments: remarks };
        return answer(world.command("request_changes", { ...seen, ...wish }), "sent", terminal);
      }
      if (edits.length > 0) {
        const made = world.command("apply_suggestions", { ...seen, comments: edits });
        return answer(made, `applied as version ${artifact.version + 1}`, terminal);
      }
      if (resolved.length > 0) {
        const { artifact_id } = seen;
        const done = resolved.map((comment) =>
          world.command("resolve_comment", { artifact_id, comment_id: comment }),
        );
        return answer(Promise.all(done), "resolved", terminal);
      }
      if (artifact.change === undefined) return showDocument(place, artifact, terminal);
      const change = await readChange(place, artifact.artifact_id, values);
      if (output !== undefined) return printCheckOutput(place, change.checks, output, terminal);
      if (isJson) {
        terminal.out(`${JSON.stringify(change)}\n`);
        return EXIT.ok;
      }
      const head = `${terminal.paint.strong(titleOf(artifact, world.snapshot))}\n${aboutText(artifact, change)}\n\n`;
      const aims = aimsText(artifact, taskOf(artifact, world.snapshot), terminal.paint);
      terminal.out(`${head}${aims}${overviewText(change, terminal.paint)}`);
      const isOpen = artifact.status === "delivered" && change.version === artifact.version;
      if (terminal.hasPerson && isOpen && path === undefined) {
        return walkChange({ world, place, change, terminal });
      }
      await showPatches(place, change, path, terminal);
      if (isOpen) terminal.err(terminal.errPaint.quiet(adviceFor(artifact)));
      return EXIT.ok;
    });
  },
});

function readRemarks(flag: string, texts: readonly string[] = []): LineComment[] {
  return texts.map((text) => {
    const remark = parseRemark(text);
    if (remark !== undefined) return remark;
    const given = plainLine(text, NAME_LENGTH);
    throw usageError("review", `--${flag} takes "PATH:LINE TEXT", not: ${given}`);
  });
}

function waitingIn(snapshot: Snapshot | null): readonly Artifact[] {
  return snapshot?.artifacts.filter(({ status }) => status === "delivered") ?? [];
}

/** By its own id, or the newest of a task. */
function findArtifact(snapshot: Snapshot | null, id: string): Artifact {
  const isIt = (each: Artifact): boolean => each.artifact_id === id || each.task_id === id;
  const found = snapshot?.artifacts.findLast(isIt);
  if (found !== undefined) return found;
  throw new CliError(
    `No deliverable has the id ${plainLine(id, NAME_LENGTH)}, nor has a task with it one.`,
    {
      advice: "To see what waits for a review, run: atrium review",
    },
  );
}

function taskOf({ task_id: of }: Artifact, snapshot: Snapshot | null): Task | undefined {
  return snapshot?.tasks.find(({ task_id: id }) => id === of);
}

function titleOf(artifact: Artifact, snapshot: Snapshot | null): string {
  return plainLine(taskOf(artifact, snapshot)?.title ?? artifact.name, NAME_LENGTH);
}

function aboutText({ artifact_id: id, status }: Artifact, { version, against }: Change): string {
  const other = against === "conflict" ? "the conflict it resolves" : `version ${against}`;
  const compared = against === "base" ? "" : `, compared with ${other}`;
  return `${id}, version ${version}${compared}: ${status}`;
}

function listText(waiting: readonly Artifact[], snapshot: Snapshot | null, paint: Paint): string {
  if (waiting.length === 0) return "Nothing waits for a review.\n";
  const rows = waiting.map((artifact) => {
    const { artifact_id: id, version, change, checks } = artifact;
    const counts = change === undefined ? artifact.name : `+${change.added} −${change.removed}`;
    return [
      paint.link(id),
      titleOf(artifact, snapshot),
      paint.quiet(plainLine(`version ${version}, ${counts}`, NAME_LENGTH)),
      checks?.state === "failed" ? paint.bad("checks failed") : "",
    ];
  });
  return `${columns(rows)}${paint.quiet("To look at one, run: atrium review ID")}\n`;
}

function adviceFor({ artifact_id: id }: Artifact): string {
  return `\nTo approve it: atrium review ${id} --approve\nTo ask for changes: atrium review ${id} --changes TEXT --comment "PATH:LINE TEXT"\n`;
}

async function answer(sent: Promise<unknown>, done: string, terminal: Terminal): Promise<number> {
  await sent;
  terminal.err(terminal.errPaint.quiet(`${done}\n`));
  return EXIT.ok;
}

async function showDocument(
  place: ServerPlace,
  artifact: Artifact,
  terminal: Terminal,
): Promise<number> {
  const { artifact_id: id, version, media_type: type, name } = artifact;
  const path = `/api/artifacts/${encodeURIComponent(id)}/${version}`;
  if (!type.startsWith("text/")) {
    terminal.out(`${plainLine(name, NAME_LENGTH)} is at ${new URL(path, place.url).href}\n`);
    return EXIT.ok;
  }
  terminal.out(plainText((await readFile(place, path)).toString("utf8")));
  if (artifact.status === "delivered") terminal.err(terminal.errPaint.quiet(adviceFor(artifact)));
  return EXIT.ok;
}

async function showPatches(
  place: ServerPlace,
  change: Change,
  path: string | undefined,
  { out, paint }: Terminal,
): Promise<void> {
  const files = path === undefined ? change.files : [{ path, is_large: false }];
  for (const file of files) {
    const { patch } = await readPatch(place, change, file.path, path !== undefined);
    out(`\n${paint.strong(plainLine(file.path, NAME_LENGTH))}\n`);
    if (patch === undefined) {
      const name = plainLine(file.path, NAME_LENGTH);
      out(paint.quiet(`Too long to show unasked: atrium review ${change.artifact} "${name}"\n`));
    } else {
      out(showPatch(patch, paint));
    }
  }
}
