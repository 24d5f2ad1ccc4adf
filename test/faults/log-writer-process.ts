/** Starts log-writer.ts as a process of its own, listens to it, and lets it be killed. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Plan {
  readonly file: string;
  /** The last number that each stream's writer saw acknowledged. */
  readonly streams: Readonly<Record<string, number>>;
  /** How much each entry carries besides its number. */
  readonly bytes: number;
}

export type Line =
  | { readonly type: "opened"; readonly epoch: string; readonly head: number }
  | {
      readonly type: "wrote";
      readonly stream: string;
      readonly n: number;
      readonly seq: number;
      readonly repeated: boolean;
    }
  | { readonly type: "fault"; readonly code: string; readonly message: string };

export class LogWriterProcess implements AsyncDisposable {
  /** Everything it said, in order; a line that its death cut short is left out. */
  readonly lines: Line[] = [];
  /** Resolves at the first acknowledgement, or when there will be none. */
  readonly wrote: Promise<void>;
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;

  /** `limit` is put before the command, to run it with less than the test has. */
  constructor(plan: Plan, limit: readonly string[] = []) {
    const program = new URL("log-writer.ts", import.meta.url).pathname;
    const [command, ...args] = [...limit, process.execPath, program, JSON.stringify(plan)];
    this.#child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    const wrote = Promise.withResolvers<void>();
    this.wrote = wrote.promise;
    const output = createInterface({ input: this.#child.stdout! });
    output.on("line", (text) => {
      const line = parse(text);
      if (line === undefined) return;
      this.lines.push(line);
      if (line.type === "wrote") wrote.resolve();
    });
    this.ended = Promise.all([once(this.#child, "close"), once(output, "close")]).then(() =>
      wrote.resolve(),
    );
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }
}

function parse(text: string): Line | undefined {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
}
