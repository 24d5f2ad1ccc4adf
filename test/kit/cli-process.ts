/** The real `atrium` as its own process, away from whoever's home and settings. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const MAIN = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped into it; without it there is nothing to read. */
  readonly input?: string;
  readonly cwd?: string;
}

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export class CliProcess implements AsyncDisposable {
  stdout = "";
  stderr = "";
  readonly ended: Promise<CliResult>;
  readonly #child: ChildProcess;
  readonly #looks = new Set<() => void>();

  constructor(child: ChildProcess) {
    this.#child = child;
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.stdout += text;
      this.#look();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
      this.#look();
    });
    this.ended = once(child, "close").then(([code]: (number | null)[]) => {
      this.#look();
      return { code: code ?? null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  /** Resolves once either stream has said it; fails when the process ends before. */
  async says(text: string | RegExp): Promise<void> {
    const isSaid = (): boolean =>
      [this.stdout, this.stderr].some((said) =>
        typeof text === "string" ? said.includes(text) : text.test(said),
      );
    while (!isSaid()) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        await this.ended;
        if (isSaid()) return;
        throw new Error(`it ended without saying ${text}: ${this.stdout}\n${this.stderr}`);
      }
      await new Promise<void>((resolve) => this.#looks.add(resolve));
    }
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  #look(): void {
    for (const look of this.#looks) look();
    this.#looks.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }
}

export function startCli(args: readonly string[], options: CliOptions = {}): CliProcess {
  return new CliProcess(launch(process.execPath, [MAIN, ...args], options));
}

/** The same with a terminal around it, by util-linux's `script`. */
export function startCliInTerminal(args: readonly string[], options: CliOptions = {}): CliProcess {
  const words = [process.execPath, MAIN, ...args].map((word) => `'${word}'`);
  const command = ["-qefc", `exec ${words.join(" ")}`, "/dev/null"];
  return new CliProcess(launch("script", command, { ...options, input: "" }, true));
}

export async function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

function launch(
  command: string,
  args: readonly string[],
  { env = {}, input, cwd = tmpdir() }: CliOptions,
  isOpen = false,
): ChildProcess {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", TERM: "xterm", ...env },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (!isOpen) child.stdin?.end(input);
  return child;
}
