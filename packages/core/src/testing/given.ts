/** Given what happened, when someone asks for this, then that: tests of deciders read as sentences. */
import type { Aggregate } from "../engine/dispatch.ts";
import type { Outcome } from "../engine/refusal.ts";

export interface Given<State, Command, Event> {
  when(command: Command): Outcome<readonly Event[]>;
  readonly state: State;
}

export function given<State, Command, Event extends { readonly type: string }>(
  aggregate: Aggregate<State, Command, Event>,
  ...history: readonly Event[]
): Given<State, Command, Event> {
  const state = history.reduce((was, event) => aggregate.evolve(was, event), aggregate.initial);
  return { state, when: (command) => aggregate.decide(state, command) };
}
