/**
 * The parameters of well-known commands, for the agents that choose among them. A node declares only the names of its
 * commands, so nothing is known about all others.
 */
import { Type, type TSchema } from "@atrium/schema";

export interface KnownCommand {
  readonly description: string;
  readonly input: TSchema;
}

const closed = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });

const KNOWN: ReadonlyMap<string, KnownCommand> = new Map([
  [
    "system.run",
    {
      description: "Runs a program and gives its output and exit code",
      input: Type.Object(
        {
          command: Type.Array(Type.String(), {
            minItems: 1,
            description: 'The program and its arguments: ["git", "status"]',
          }),
          cwd: Type.Optional(Text),
          timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 600_000 })),
        },
        closed,
      ),
    },
  ],
  [
    "system.which",
    {
      description: "Finds where programs are installed",
      input: Type.Object({ bins: Type.Array(Text, { minItems: 1, maxItems: 50 }) }, closed),
    },
  ],
  [
    "system.notify",
    {
      description: "Shows a notification to the person there",
      input: Type.Object({ title: Text, body: Text }, closed),
    },
  ],
]);

const ANYTHING: TSchema = Type.Object(
  {},
  { description: "What the command takes, as the node's maker documents it." },
);

export function knownCommand(command: string): KnownCommand {
  return KNOWN.get(command) ?? { description: `Runs the command ${command}`, input: ANYTHING };
}
