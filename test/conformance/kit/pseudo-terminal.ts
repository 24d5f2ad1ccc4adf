/**
 * A terminal with a program in it: what it draws is collected as text, what is typed is typed. Good enough
 * to read what a person would see, without keeping track of where on the screen it is.
 */
import { stripVTControlCharacters } from "node:util";
import { spawn } from "@lydell/node-pty";

export interface Terminal extends AsyncDisposable {
  /** Everything drawn so far, without control characters. */
  drawn(): string;
  /** Resolves once this is drawn; what was drawn before `type` was last called does not count. */
  shows(text: RegExp): Promise<void>;
  type(keys: string): void;
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const PATIENCE_MS = 90_000;
const SIZE = { cols: 120, rows: 40 };

export function openTerminal(
  command: string,
  args: readonly string[],
  { cwd, env }: TerminalOptions,
): Terminal {
  const pty = spawn(command, [...args], { ...SIZE, cwd, env: { ...env, TERM: "xterm-256color" } });
  let raw = "";
  let typedAt = 0;
  let exitCode: number | undefined;
  const watchers = new Set<() => void>();
  const drawn = (): string => stripVTControlCharacters(raw);
  const wake = (): void => {
    for (const watcher of watchers) watcher();
  };
  pty.onData((text) => {
    raw += text;
    wake();
  });
  const exited = new Promise<void>((resolve) => {
    pty.onExit((exit) => {
      exitCode = exit.exitCode;
      wake();
      resolve();
    });
  });

  return {
    drawn,
    shows(text) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const look = (): void => {
        if (text.test(stripVTControlCharacters(raw.slice(typedAt)))) resolve();
        else if (exitCode !== undefined) reject(missing(`the program ended with ${exitCode}`));
      };
      const missing = (why: string): Error => new Error(`${why} without ${text}:\n${drawn()}`);
      const limit = setTimeout(() => reject(missing("nothing more came")), PATIENCE_MS);
      watchers.add(look);
      look();
      return promise.finally(() => {
        clearTimeout(limit);
        watchers.delete(look);
      });
    },
    type(keys) {
      typedAt = raw.length;
      pty.write(keys);
    },
    async [Symbol.asyncDispose]() {
      if (exitCode === undefined) pty.kill("SIGKILL");
      await exited;
    },
  };
}
