/**
 * A project in a terminal, as lines: plan, tasks, tools, what commands print, deliverables. What was
 * delivered goes to stdout, everything about it to stderr; with JSON, events to stdout and nothing else.
 */
import type { Snapshot, WorldClient } from "@atrium/client";
import type { WorldMessageOf } from "@atrium/wire/world";
import type { ServerPlace } from "../../server/find-server.ts";
import { size } from "../../terminal/measures.ts";
import { plainLine, plainText } from "../../terminal/plain-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { pathOf, readDifference, readFile } from "../files/read-files.ts";
import { showWholePatch } from "../review/patch-view.ts";
import { lineOf, type Names, type ProjectEvent } from "./event-lines.ts";
import { LiveOutput } from "./live-output.ts";

type Stream = WorldMessageOf<"agent_stream">["payload"];
type Project = Snapshot["projects"][number];
type Artifact = Snapshot["artifacts"][number];

interface ViewDeps {
  readonly terminal: Terminal;
  readonly place: ServerPlace;
  readonly world: Pick<WorldClient, "snapshot">;
  readonly isJson: boolean;
}

const MAX_LINE = 160;
const MAX_HELD = 500;
const MAX_SHOWN_BYTES = 100_000;

export class ProjectView {
  readonly isJson: boolean;
  readonly #deps: ViewDeps;
  readonly #names: Names;
  readonly #titles = new Map<string, string>();
  readonly #output: LiveOutput;
  /** Lines that wait until a person has typed. */
  #held: string[] | undefined;
  /** What is still being read, to be shown before the end. */
  readonly #reading: Promise<void>[] = [];

  constructor(deps: ViewDeps) {
    this.#deps = deps;
    this.isJson = deps.isJson;
    const { errPaint: paint } = deps.terminal;
    this.#names = {
      paint,
      agent: (id) => plainLine(this.#agentName(id) ?? id, MAX_LINE),
      task: (id) => plainLine(this.#titles.get(id) ?? id, MAX_LINE),
    };
    this.#output = new LiveOutput((line) => this.#write(paint.quiet(`    │ ${line}`)));
  }

  /** For one who comes later: how it stands. */
  introduce(project: Project, { tasks }: Snapshot): void {
    const { errPaint } = this.#deps.terminal;
    this.#write(errPaint.strong(plainLine(project.title, MAX_LINE)));
    this.#write(errPaint.quiet(`project ${project.project_id}, ${project.status}`));
    for (const { project_id: of, task_id: id, title, status } of tasks) {
      if (of !== project.project_id) continue;
      this.#titles.set(id, title);
      this.#write(`  ${plainLine(title, MAX_LINE)} ${errPaint.quiet(status)}`);
    }
  }

  show(event: ProjectEvent): void {
    if (this.isJson) {
      this.#deps.terminal.out(`${JSON.stringify(event)}\n`);
      return;
    }
    if (event.name === "tasks_created") {
      for (const { task_id: id, title } of event.tasks) this.#titles.set(id, title);
    }
    const line = lineOf(event, this.#names);
    if (line !== undefined) this.#write(line);
    if (event.name === "tool_returned") this.#endCall(event);
    if (event.name === "work_finished") this.#reading.push(this.#showChanges(event));
  }

  stream({ call_id: callId, delta, done }: Stream): void {
    if (callId === undefined || this.isJson) return;
    this.#output.add(callId, delta);
    if (done) this.#output.end(callId);
  }

  /** A quiet line about the project, not of it. */
  note(text: string): void {
    const { terminal } = this.#deps;
    terminal.err(`${terminal.errPaint.quiet(`  · ${plainText(text)}`)}\n`);
  }

  /** A person types: what happens meanwhile is told afterwards, the latest of it. */
  hold(): void {
    this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const line of held) this.#write(line);
  }

  ask(question: string, options: readonly string[], hint: string | undefined): void {
    const { errPaint } = this.#deps.terminal;
    this.#write(`\n${errPaint.doubtful("?")} ${errPaint.strong(plainText(question))}`);
    for (const [index, option] of options.entries()) {
      this.#write(`  ${errPaint.doubtful(`${index + 1}`)} ${plainText(option)}`);
    }
    if (hint !== undefined) this.#write(errPaint.quiet(`  ${hint}`));
  }

  /** What it says where that is a short text, else where it is. Never rejects. */
  async showArtifact(artifact: Artifact): Promise<void> {
    if (this.isJson) return;
    const { place, terminal } = this.#deps;
    const { change } = artifact;
    const { artifact_id: id, version, name, media_type: mediaType, bytes } = artifact;
    const path = `/api/artifacts/${encodeURIComponent(id)}/${version}`;
    const isShort = mediaType.startsWith("text/") && bytes <= MAX_SHOWN_BYTES;
    const content = isShort ? await readFile(place, path).catch(() => undefined) : undefined;
    const text = content?.toString("utf8");
    if (text !== undefined && change !== undefined) terminal.out(patchText(text, terminal));
    else if (text !== undefined) terminal.out(`${plainText(text).trimEnd()}\n`);
    else this.note(`${name} (${size(bytes)}) is at ${new URL(path, place.url).href}`);
    if (change !== undefined) this.note(`to look closer and comment on lines: atrium review ${id}`);
  }

  finish({ project_id: id, title, status, reason, line: merged }: Project): void {
    this.resume();
    const { errPaint } = this.#deps.terminal;
    const why = reason === undefined ? "" : `: ${plainText(reason)}`;
    const line = `${plainLine(title, MAX_LINE)} is ${status}${why}`;
    this.#write(status === "completed" ? errPaint.good(line) : errPaint.bad(line));
    const advice = `To take what was approved, run: atrium deliver ${id}`;
    if (merged !== undefined) this.#write(errPaint.quiet(advice));
  }

  /** Once everything that was asked for has been shown. */
  async settled(): Promise<void> {
    await Promise.all(this.#reading);
  }

  #endCall(event: Extract<ProjectEvent, { readonly name: "tool_returned" }>): void {
    const { call_id: callId, is_error: isError, text } = event;
    this.#output.end(callId);
    // What it put out has been read already.
    if (!isError || this.#output.has(callId)) return;
    this.#write(`    ${this.#names.paint.bad(plainLine(text, MAX_LINE))}`);
  }

  async #showChanges(
    event: Extract<ProjectEvent, { readonly name: "work_finished" }>,
  ): Promise<void> {
    const { task_id: taskId, seq } = event;
    const path = pathOf(taskId, "diff", { to: seq === undefined ? undefined : String(seq) });
    // A task without a workspace has no files of its own.
    const found = await readDifference(this.#deps.place, path).catch(() => undefined);
    for (const { path: file, how, added, removed } of found?.files ?? []) {
      const lines = added === null || removed === null ? "" : ` (+${added} −${removed})`;
      this.#write(`  ${this.#names.paint.good(how)} ${plainLine(file, MAX_LINE)}${lines}`);
    }
  }

  #agentName(agentId: string): string | undefined {
    return this.#deps.world.snapshot?.agents.find((each) => each.agent_id === agentId)?.name;
  }

  #write(line: string): void {
    if (this.isJson) return;
    if (this.#held === undefined) this.#deps.terminal.err(`${line}\n`);
    else if (this.#held.push(line) > MAX_HELD) this.#held.shift();
  }
}

/** Into a pipe or a file it goes as it is, to be applied; a person gets colors and line numbers. */
function patchText(patch: string, { stdout, paint }: Terminal): string {
  return stdout.isTTY ? showWholePatch(patch, paint) : patch;
}
