/** `atrium files`, `diff`, `restore` and `fork`: what agents made of the files, at any moment. */
import { EXIT } from "../command-line/cli-error.ts";
import { command } from "../command-line/command.ts";
import { SERVER_OPTIONS, usageError } from "../command-line/read-args.ts";
import { connectServer } from "../server/connect-server.ts";
import { findServer } from "../server/find-server.ts";
import { columns } from "../terminal/columns.ts";
import type { Paint } from "../terminal/paint.ts";
import { plainLine, plainText } from "../terminal/plain-text.ts";
import {
  findFolder,
  pathOf,
  readDifference,
  readFile,
  type ChangedFile,
  type ListedFolder,
} from "./files/read-files.ts";

const JSON_OPTION = { json: { type: "boolean", help: "print JSON" } } as const;
const NAME_LENGTH = 120;

export const files = command({
  name: "files",
  calls: [["files ID [PATH]", "list the files of a project, task or build, or print one"]],
  options: {
    at: { type: "string", takes: "SEQ", help: "as they were at this position; without it, now" },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: ["atrium files task_abc_1 src --at 420", "atrium files task_abc_1 src/main.ts"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { id, path } = readWords("files", positionals);
    const { terminal } = environment;
    const place = await findServer(values, environment);
    const query = { path, ...(values.at !== undefined && { seq: values.at }) };
    const folder = await findFolder(place, pathOf(id, "files", query));
    if (folder !== undefined) {
      const isJson = values.json === true;
      terminal.out(isJson ? `${JSON.stringify(folder)}\n` : listing(folder, terminal.paint));
      return EXIT.ok;
    }
    const content = await readFile(place, pathOf(id, "file", query));
    // Into a pipe or a file it goes as it is; nothing in it may move a person's cursor.
    if (terminal.stdout.isTTY) terminal.out(plainText(content.toString("utf8")));
    else terminal.stdout.write(content);
    return EXIT.ok;
  },
});

export const diff = command({
  name: "diff",
  calls: [
    ["diff ID [PATH]", "what has changed in a project, task or build, or the patch of a file"],
  ],
  options: {
    from: { type: "string", takes: "SEQ", help: "since this position; without it, from the start" },
    to: { type: "string", takes: "SEQ", help: "until this position; without it, now" },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: ["atrium diff task_abc_1", "atrium diff task_abc_1 src/main.ts --from 420"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const { id, path } = readWords("diff", positionals);
    const { terminal } = environment;
    const { from, to } = values;
    const place = await findServer(values, environment);
    const query = { ...(path !== "" && { path, whole: "1" }), from, to };
    const difference = await readDifference(place, pathOf(id, "diff", query));
    const { files: changes = [], has_more: isCut, patch } = difference;
    if (values.json === true) terminal.out(`${JSON.stringify(difference)}\n`);
    else if (patch !== undefined) terminal.out(plainText(patch));
    else terminal.out(overview(changes, isCut === true, terminal.paint));
    return EXIT.ok;
  },
});

export const restore = command({
  name: "restore",
  calls: [["restore ID --at SEQ", "put the files of a task or build back as they were"]],
  options: {
    at: { type: "string", takes: "SEQ", help: "the position in the log" },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: ["atrium restore task_abc_1 --at 420"],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const workspace = readId("restore", positionals);
    const seq = readSeq("restore", values.at);
    await using client = await connectServer(await findServer(values, environment));
    const done = await client.call("workspace.restore", { workspace, seq });
    const undo = `To undo it, run: atrium restore ${workspace} --at ${done.seq - 1}`;
    const text = `The files of ${workspace} are as they were at ${seq}.\n${undo}\n`;
    environment.terminal.out(values.json === true ? `${JSON.stringify(done)}\n` : text);
    return EXIT.ok;
  },
});

export const fork = command({
  name: "fork",
  calls: [["fork ID --at SEQ", "start another task or build from the files and talk of a moment"]],
  options: {
    at: { type: "string", takes: "SEQ", help: "the position in the log" },
    say: { type: "string", takes: "TEXT", help: "what is to be done otherwise" },
    ...JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  examples: ['atrium fork task_abc_1 --at 420 --say "Without a database"'],
  takesWords: true,
  async run({ values, positionals }, environment) {
    const workspace = readId("fork", positionals);
    const seq = readSeq("fork", values.at);
    const { say: instructions } = values;
    await using client = await connectServer(await findServer(values, environment));
    const done = await client.call("workspace.fork", {
      workspace,
      seq,
      ...(instructions !== undefined && { instructions }),
    });
    const text = `${done.workspace} starts from ${workspace} at ${seq}.\n`;
    environment.terminal.out(values.json === true ? `${JSON.stringify(done)}\n` : text);
    return EXIT.ok;
  },
});

function readWords(
  name: string,
  [id, path = "", extra]: readonly string[],
): { readonly id: string; readonly path: string } {
  if (id === undefined) throw usageError(name, "Name a project, task or build.");
  if (extra !== undefined) throw usageError(name, `Unexpected argument: ${extra}`);
  return { id, path };
}

function readId(name: string, words: readonly string[]): string {
  const { id, path } = readWords(name, words);
  if (path !== "") throw usageError(name, `Unexpected argument: ${path}`);
  return id;
}

function readSeq(name: string, text: string | undefined): number {
  if (text === undefined) throw usageError(name, "Say to which position: --at SEQ");
  if (!/^\d{1,15}$/.test(text)) throw usageError(name, "--at takes a position: a whole number.");
  return Number(text);
}

function listing({ workspace, seq, entries, has_more: isCut }: ListedFolder, paint: Paint): string {
  const rows = entries.map(({ name, type, bytes }) => [
    plainLine(type === "folder" ? `${name}/` : name, NAME_LENGTH),
    paint.quiet(type === "file" || type === "folder" ? "" : type),
    paint.quiet(bytes === undefined ? "" : `${bytes} B`),
  ]);
  const head = paint.quiet(`${plainLine(workspace, NAME_LENGTH)} at ${seq}`);
  return `${head}\n${columns(rows)}${isCut ? "…\n" : ""}`;
}

function overview(changes: readonly ChangedFile[], isCut: boolean, paint: Paint): string {
  if (changes.length === 0) return "Nothing has changed.\n";
  const rows = changes.map(({ path, from, how, added, removed }) => [
    how,
    plainLine(from === null ? path : `${from} → ${path}`, NAME_LENGTH),
    paint.quiet(added === null || removed === null ? "" : `+${added} −${removed}`),
  ]);
  return `${columns(rows)}${isCut ? "…\n" : ""}`;
}
