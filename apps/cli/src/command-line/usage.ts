/** The help: a page for each command, and one of them all, made from what the commands declare. */
import { columns } from "../terminal/columns.ts";
import type { Command } from "./command.ts";
import { SERVER_OPTIONS, type Option, type Options } from "./read-args.ts";

const EXIT_CODES = "Exit codes: 0 done, 1 failed, 2 usage error, 130 interrupted.\n";

export function pageOf(commands: readonly Command[]): string {
  return [
    "atrium: talk to the front hall of an agent team\n",
    callsOf(commands),
    "See atrium COMMAND --help\n",
    serverPart(),
    EXIT_CODES,
  ].join("\n");
}

export function helpOf(command: Command): string {
  const own = Object.entries(command.options).filter(([name]) => !isAboutServer(name));
  const rest = command.members ?? [];
  const parts = [
    callsOf([command]),
    own.length === 0 ? "" : optionRows(own),
    rest.length === 0 ? "" : `See ${rest.map(({ name }) => `atrium ${name} --help`).join(", ")}\n`,
    `Examples:\n${command.examples.map((example) => `  ${example}\n`).join("")}`,
    Object.keys(command.options).some(isAboutServer) ? serverPart() : "",
    command.moreHelp === undefined ? "" : "All other flags are passed to the server:\n\n",
  ];
  return parts.filter((part) => part !== "").join("\n");
}

/** The command that is meant by these words, or the member of it. */
export function findCommand(
  commands: readonly Command[],
  [first, second]: readonly string[],
): Command | undefined {
  const found = commands.find(({ name }) => name === first);
  return found?.members?.find(({ name }) => name === `${first} ${second}`) ?? found;
}

const isAboutServer = (name: string): boolean => Object.hasOwn(SERVER_OPTIONS, name);

function callsOf(commands: readonly Command[]): string {
  return columns(
    commands.flatMap(({ calls }) => calls.map(([call, what]) => [`atrium ${call}`, what])),
  );
}

function serverPart(): string {
  return `How it finds the server:\n${optionRows(Object.entries<Option>(SERVER_OPTIONS))}`;
}

function optionRows(
  options: readonly (readonly [name: string, option: Options[string]])[],
): string {
  return columns(
    options.map(([name, { takes, short, help }]) => {
      const flag = [`--${name}`, takes ?? ""].join(" ").trim();
      return [short === undefined ? flag : `${flag}, -${short}`, help];
    }),
  );
}
