/**
 * A build in a terminal: a stepper that stays at the bottom while what is said scrolls past above it.
 * Where nothing can be taken back it is one line for each step instead. The result goes to stdout,
 * everything about it to stderr.
 */
import type { CallResult, EventPayloads } from "@atrium/client";
import { duration } from "../../terminal/measures.ts";
import { plainLine, plainText } from "../../terminal/plain-text.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import type { View } from "./watch-build.ts";

type BuildEvent = EventPayloads["build"];
type BuildInfo = CallResult<"build.get">["build"];

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  state: "pending" | "active" | "done" | "skipped" | "failed";
  startedAt: number;
  endedAt: number;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 90;
const MAX_NAME = 80;
const MAX_OUTPUT_LINES = 20;
const MARGIN = 12;
const TITLE_WIDTH = 28;

export class BuildScreen implements View {
  readonly canAsk = true;
  readonly #terminal: Terminal;
  readonly #id: string;
  readonly #now: () => number;
  readonly #steps: Step[];
  #drawn = 0;
  #frame = 0;
  #isHeld = false;
  #output = "";
  #ticking: NodeJS.Timeout | undefined;

  constructor(terminal: Terminal, { id, prompt, agent, steps }: BuildInfo, now: () => number) {
    this.#terminal = terminal;
    this.#id = id;
    this.#now = now;
    // How far it is follows from the events, which are shown from the first.
    this.#steps = steps.map(({ step_id, title, description }) => {
      return { id: step_id, title, description, state: "pending", startedAt: 0, endedAt: 0 };
    });
    const { errPaint, columns } = terminal;
    const title = plainLine(prompt, Math.max(MARGIN, columns - MARGIN));
    terminal.err(`${errPaint.strong(title)}\n${errPaint.quiet(`${agent} · build ${id}`)}\n`);
    if (!terminal.canErase) return;
    this.#draw();
    this.#ticking = setInterval(() => this.#tick(), FRAME_MS);
    this.#ticking.unref();
  }

  show(event: BuildEvent): void {
    const { errPaint } = this.#terminal;
    switch (event.type) {
      case "progress.step.started":
        this.#start(event.payload, event.ts);
        return;
      case "progress.step.completed":
        this.#change(event.payload.step_id, { state: "done", endedAt: event.ts });
        return;
      case "assistant.message.created":
        this.#writeLine(`${errPaint.link("●")} ${plainText(event.payload.text)}`);
        return;
      case "status.changed":
        this.#output = event.payload.output ?? "";
        return;
      case "question.answered":
      case "questions.answered":
        this.#writeLine(errPaint.quiet(`  · answered: ${answerOf(event)}`));
        return;
      case "question.expired":
        this.#writeLine(errPaint.quiet("  · no answer in time"));
        return;
      case "permission.resolved": {
        const { outcome, by } = event.payload;
        const who = by === undefined ? "" : ` by ${plainLine(by, 80)}`;
        this.#writeLine(errPaint.quiet(`  · ${outcome}${who}`));
        return;
      }
      case "checks.started":
        this.#writeLine(errPaint.quiet(`  · checks: ${namesOf(event.payload.checks)}`));
        return;
      case "checks.finished":
        for (const check of event.payload.checks) {
          const { verdict } = check;
          const mark = verdict === "passed" ? errPaint.good("✓") : errPaint.doubtful("✗");
          this.#writeLine(`  ${mark} ${namesOf([check])} ${errPaint.quiet(verdict)}`);
        }
        return;
      case "session.completed":
        this.#finish();
        if (this.#output !== "") this.#terminal.out(`${plainText(this.#output)}\n`);
        return;
      case "session.failed":
        this.#fail(event.payload.reason ?? "the agent gave no reason");
        return;
      case "session.started":
      case "question.requested":
      case "questions.requested":
      case "permission.requested":
        return;
    }
  }

  showOutput(name: string, output: string): void {
    const { errPaint } = this.#terminal;
    const lines = plainText(output).trimEnd().split("\n");
    const left = Math.max(0, lines.length - MAX_OUTPUT_LINES);
    for (const line of lines.slice(left)) this.#writeLine(errPaint.quiet(`    │ ${line}`));
    if (left === 0) return;
    const all = `atrium build --follow ${this.#id} --output ${quotedWord(name)}`;
    this.#writeLine(errPaint.quiet(`    the end of ${lines.length} lines; for all, run: ${all}`));
  }

  note(text: string): void {
    this.#writeLine(this.#terminal.errPaint.quiet(`  · ${plainText(text)}`));
  }

  ask(question: string, options: readonly string[] = []): void {
    this.#isHeld = true;
    this.#erase();
    const { err, errPaint } = this.#terminal;
    err(`\n${errPaint.doubtful("?")} ${errPaint.strong(plainText(question))}\n`);
    for (const [index, option] of options.entries()) {
      err(`  ${errPaint.doubtful(`${index + 1}`)} ${plainText(option)}\n`);
    }
  }

  resume(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#draw();
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #start(
    step: Extract<BuildEvent, { type: "progress.step.started" }>["payload"],
    at: number,
  ): void {
    const { step_id: id, index, total, title } = step;
    for (const each of this.#steps.slice(0, index - 1)) {
      if (each.state === "pending") each.state = "skipped";
    }
    this.#change(id, { state: "active", startedAt: at });
    if (!this.#terminal.canErase) this.#writeLine(`  ${index}/${total} ${plainText(title)}`);
  }

  #change(id: string, changes: Partial<Step>): void {
    const at = this.#steps.findIndex((each) => each.id === id);
    const step = this.#steps[at];
    if (step !== undefined) this.#steps[at] = { ...step, ...changes };
    this.#redraw();
  }

  #finish(): void {
    this.close();
    this.#isHeld = false;
    this.#redraw();
  }

  #fail(reason: string): void {
    for (const step of this.#steps) if (step.state === "active") step.state = "failed";
    this.#finish();
    const { err, errPaint } = this.#terminal;
    err(`${errPaint.bad("failed:")} ${plainText(reason)}\n`);
  }

  /** A line that stays, above the stepper. */
  #writeLine(line: string): void {
    this.#erase();
    this.#terminal.err(`${line}\n`);
    if (!this.#isHeld) this.#draw();
  }

  #tick(): void {
    if (this.#isHeld || !this.#steps.some(({ state }) => state === "active")) return;
    this.#frame = (this.#frame + 1) % FRAMES.length;
    this.#redraw();
  }

  #redraw(): void {
    if (this.#isHeld) return;
    this.#erase();
    this.#draw();
  }

  #draw(): void {
    if (!this.#terminal.canErase) return;
    const lines = this.#steps.map((step) => `${this.#lineOf(step)}\n`);
    this.#terminal.err(`\n${lines.join("")}\n`);
    this.#drawn = lines.length + 2;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#terminal.err(`\u001b[${this.#drawn}A\r\u001b[0J`);
    this.#drawn = 0;
  }

  #lineOf({ title, description, state, startedAt, endedAt }: Step): string {
    const { errPaint, columns } = this.#terminal;
    const name = plainLine(title, Math.max(MARGIN, Math.min(TITLE_WIDTH, columns - MARGIN)));
    const room = columns - TITLE_WIDTH - MARGIN;
    switch (state) {
      case "done": {
        const took = startedAt === 0 ? "" : duration(endedAt - startedAt);
        return `  ${errPaint.good("✓")} ${name.padEnd(TITLE_WIDTH)} ${errPaint.quiet(took)}`;
      }
      case "active": {
        const frame = FRAMES[this.#frame] ?? "·";
        const elapsed = this.#now() - startedAt;
        const took = elapsed < 1_000 ? "" : duration(elapsed);
        const doing = room < MARGIN ? "" : plainLine(description, room);
        const words = errPaint.quiet(`${took.padEnd(7)}${doing}`.trimEnd());
        return `  ${errPaint.link(frame)} ${errPaint.strong(name.padEnd(TITLE_WIDTH))} ${words}`;
      }
      case "failed":
        return `  ${errPaint.bad("✗")} ${name}`;
      case "skipped":
        return errPaint.quiet(`  – ${name}`);
      case "pending":
        return errPaint.quiet(`  ○ ${name}`);
    }
  }
}

function answerOf(
  event: Extract<BuildEvent, { readonly type: "question.answered" | "questions.answered" }>,
): string {
  const answers = "answers" in event.payload ? event.payload.answers : [event.payload];
  const words = answers.map(({ option_id, text }) => {
    const parts = [option_id, text].filter((each) => each !== undefined);
    return parts.length === 0 ? "(left blank)" : parts.join(": ");
  });
  return plainLine(words.join(", "), 200);
}

/** As a shell reads it. */
function quotedWord(name: string): string {
  const word = plainLine(name, MAX_NAME);
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function namesOf(checks: readonly { readonly name: string }[]): string {
  return checks.map(({ name }) => plainLine(name, MAX_NAME)).join(", ");
}
