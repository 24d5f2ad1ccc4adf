/**
 * Stays with a project to its end: shows what happens, and asks what it waits for. What is asked follows
 * from snapshots, so a question that was answered elsewhere is taken back. Ctrl-C leaves; the work goes on.
 */
import type { Snapshot, WorldClient, WorldStatus } from "@atrium/client";
import type { WorldMessageOf } from "@atrium/wire/world";
import { CliError, EXIT, messageOf } from "../../command-line/cli-error.ts";
import { readLine } from "../../terminal/read-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { answerCall, hintOf, optionsOf, ownAnswer, questionOf } from "./answer-call.ts";
import { openTurns, type OpenTurn } from "./open-turns.ts";
import type { ProjectView } from "./project-view.ts";

export interface ProjectAttendance {
  readonly world: WorldClient;
  /** Whose id it is; asked for once everything that happens is listened to. */
  readonly find: () => Promise<string>;
  /** Whoever asked for it wants it done: without a person the plan starts by itself. */
  readonly isAsker: boolean;
  readonly view: ProjectView;
  readonly terminal: Terminal;
}

type Event = WorldMessageOf<"event">["payload"];

const EXITS = new Map<string, number>([
  ["completed", EXIT.ok],
  ["failed", EXIT.failed],
  ["cancelled", EXIT.failed],
]);

export async function followProject(following: ProjectAttendance): Promise<number> {
  const attendance = new Attendance(following);
  const leave = (): void => attendance.leave();
  process.on("SIGINT", leave);
  try {
    return await attendance.run();
  } finally {
    process.off("SIGINT", leave);
  }
}

class Attendance {
  readonly #following: ProjectAttendance;
  readonly #end = Promise.withResolvers<number>();
  /** What waits for an answer; aborted when it is answered, here or elsewhere. */
  readonly #open = new Map<string, AbortController>();
  /** One after the other: there is one keyboard. */
  #line: Promise<void> = Promise.resolve();
  #hasLeft = false;
  #projectId: string | undefined;
  /** What was told before it was known which project is meant. */
  #early: Event[] = [];

  constructor(following: ProjectAttendance) {
    this.#following = following;
  }

  async run(): Promise<number> {
    const { world, view, find } = this.#following;
    const stop = [
      world.on("event", ({ payload }) => {
        if (this.#projectId === undefined) this.#early.push(payload);
        else if (payload.project_id === this.#projectId) view.show(payload);
      }),
      world.on("agent_stream", ({ payload }) => {
        if (payload.project_id === this.#projectId) view.stream(payload);
      }),
      world.on("snapshot", ({ payload }) => this.#look(payload)),
      world.onStatus((status) => this.#tellStatus(status)),
    ];
    try {
      this.#begin(await find());
      return await this.#end.promise;
    } finally {
      for (const unsubscribe of stop) unsubscribe();
      this.#settleAll();
      await view.settled();
    }
  }

  #begin(projectId: string): void {
    const { world, view, isAsker } = this.#following;
    this.#projectId = projectId;
    for (const event of this.#early) if (event.project_id === projectId) view.show(event);
    this.#early = [];
    const { snapshot } = world;
    if (isAsker) {
      if (snapshot !== null) this.#look(snapshot);
      return;
    }
    const project = snapshot?.projects.find((each) => each.project_id === projectId);
    if (snapshot === null || project === undefined) {
      throw new CliError(`No project has the id ${projectId}.`);
    }
    view.introduce(project, snapshot);
    this.#look(snapshot);
  }

  #look(snapshot: Snapshot): void {
    const { view } = this.#following;
    const projectId = this.#projectId;
    const project = snapshot.projects.find((each) => each.project_id === projectId);
    if (project === undefined) return;
    const exit = EXITS.get(project.status);
    if (exit !== undefined) {
      view.finish(project);
      this.#end.resolve(exit);
      return;
    }
    const turns = openTurns(snapshot, project.project_id);
    const keys = new Set(turns.map(keyOf));
    for (const [key, answered] of this.#open) {
      if (keys.has(key)) continue;
      answered.abort();
      this.#open.delete(key);
    }
    for (const turn of turns) if (!this.#open.has(keyOf(turn))) this.#take(turn);
  }

  #take(turn: OpenTurn): void {
    const answered = new AbortController();
    this.#open.set(keyOf(turn), answered);
    this.#line = this.#line.then(() => this.#ask(turn, answered.signal));
  }

  /** Never rejects. */
  async #ask(turn: OpenTurn, answered: AbortSignal): Promise<void> {
    const { world, view, terminal, isAsker } = this.#following;
    if (answered.aborted) return;
    if (turn.kind === "review") await view.showArtifact(turn.artifact);
    const canAsk = terminal.hasPerson && !view.isJson;
    if (turn.kind === "plan" && isAsker && !canAsk) {
      await this.#send(world.command("auto_assign", { project_id: turn.id }));
      return;
    }
    view.ask(questionOf(turn), optionsOf(turn), hintOf(turn));
    if (!canAsk) {
      view.note(`waiting for an answer: ${answerCall(turn)}`);
      return;
    }
    view.hold();
    await this.#read(turn, answered);
    view.resume();
  }

  async #read(turn: OpenTurn, answered: AbortSignal): Promise<void> {
    const { world, view, terminal } = this.#following;
    while (!answered.aborted && !this.#hasLeft) {
      const prompt = `${terminal.paint.doubtful("›")} `;
      const words = await readLine(terminal, { prompt, signal: answered });
      if (answered.aborted) return;
      if (words === undefined) return this.leave();
      const answer = ownAnswer(turn, words);
      if (!answer.ok) view.note(answer.problem);
      else if (await this.#send(answer.send(world))) return;
    }
  }

  async #send(command: Promise<unknown>): Promise<boolean> {
    try {
      await command;
      return true;
    } catch (cause) {
      this.#following.view.note(`not accepted: ${messageOf(cause)}`);
      return false;
    }
  }

  #tellStatus(status: WorldStatus): void {
    const { view } = this.#following;
    if (status.state === "stale" && status.retries === 1 && status.delayMs !== null) {
      view.note("lost the connection; reconnecting");
    } else if (status.state === "connected") {
      view.note("reconnected");
    } else if (status.state === "failed") {
      this.#end.reject(new CliError(`Lost the connection to the server: ${status.reason}.`));
    }
  }

  #settleAll(): void {
    for (const answered of this.#open.values()) answered.abort();
    this.#open.clear();
  }

  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    const { view } = this.#following;
    const projectId = this.#projectId;
    if (projectId !== undefined) {
      view.note(`the work goes on; to watch it again: atrium ask --follow ${projectId}`);
    }
    this.#end.resolve(EXIT.interrupted);
  }
}

/** A new version of a deliverable is asked about anew. */
function keyOf(turn: OpenTurn): string {
  return turn.kind === "review" ? `${turn.id} ${turn.artifact.version}` : turn.id;
}
