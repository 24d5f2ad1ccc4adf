/**
 * The commands for one stream, in line.
 *
 * What waits is decided in one round, each on the state that those before it would leave, and appended
 * without waiting in between, so that a busy stream shares its commits as different streams do. Nobody
 * is answered before it is known that what the answer builds on was written: when an append of the
 * round is refused, everything behind it is decided again on what is true by then. While the log
 * cannot be written, nobody waits behind a round that is under way.
 */
import type { AppendResult, Entry, Expected, Guard, Key, KeyRecord } from "@atrium/log";
import type { Aggregate, DispatchResult, DispatchDeps } from "./dispatch.ts";
import { accept, refuse, type Outcome, type Refusal } from "./refusal.ts";

interface Terms {
  readonly key: Key | undefined;
  readonly guard: Guard | undefined;
}

interface Waiting<Command, Event> extends Terms {
  readonly command: Command;
  readonly answer: PromiseWithResolvers<Outcome<DispatchResult<Event>>>;
  tries: number;
}

/** A command that has been decided: refused, or on its way into the log. */
interface Made<Command, Event> {
  readonly item: Waiting<Command, Event>;
  readonly events: readonly Event[];
  readonly result: Promise<Refusal | AppendResult>;
}

const MAX_TRIES = 8;
const MAX_ROUND = 64;
const AWAY = refuse("log.unavailable");

export class StreamWriter<State, Command, Event extends { readonly type: string }> {
  readonly #aggregate: Aggregate<State, Command, Event>;
  readonly #stream: string;
  readonly #deps: DispatchDeps;
  readonly #queue: Waiting<Command, Event>[] = [];
  #state: State;
  #head = 0;
  /** The log holds more of this stream than is folded into the state. */
  #isBehind = true;
  /** The newest entry of this stream that another node may have written. */
  #newest = 0;
  #isRunning = false;

  constructor(aggregate: Aggregate<State, Command, Event>, stream: string, deps: DispatchDeps) {
    this.#aggregate = aggregate;
    this.#stream = stream;
    this.#deps = deps;
    this.#state = aggregate.initial;
  }

  get isIdle(): boolean {
    return !this.#isRunning;
  }

  notice(seq: number): void {
    this.#newest = seq;
  }

  take(command: Command, terms: Terms): Promise<Outcome<DispatchResult<Event>>> {
    // Behind what is under way it would wait until the log is back; otherwise the log itself answers.
    if (this.#isRunning && this.#deps.trouble?.reason !== undefined) {
      return Promise.resolve(AWAY);
    }
    const answer = Promise.withResolvers<Outcome<DispatchResult<Event>>>();
    this.#queue.push({ command, ...terms, answer, tries: 0 });
    if (!this.#isRunning) void this.#run();
    return answer.promise;
  }

  /** What is under way is not known to have failed, so that it goes on waiting. */
  refuseWaiting(): void {
    for (const { answer } of this.#queue.splice(0)) answer.resolve(AWAY);
  }

  /** Never rejects: whoever waits is told. */
  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#queue.length > 0) {
      const round = this.#takeRound();
      try {
        await this.#catchUp();
        await this.#finish(this.#decide(await this.#answerKnown(round)));
      } catch (fault) {
        // Someone of this round has broken it; what was written of it is found by reading again.
        this.#isBehind = true;
        for (const { answer } of round) answer.reject(fault);
      }
    }
    this.#isRunning = false;
  }

  /** Two with the same key cannot be decided together: the second depends on what becomes of the first. */
  #takeRound(): Waiting<Command, Event>[] {
    const keys = new Set<string>();
    let count = 0;
    for (const { key } of this.#queue) {
      if (count === MAX_ROUND || (key !== undefined && keys.has(key.id))) break;
      if (key !== undefined) keys.add(key.id);
      count++;
    }
    return this.#queue.splice(0, count);
  }

  async #catchUp(): Promise<void> {
    if (!this.#isBehind && this.#newest <= this.#head) return;
    for await (const entry of this.#unread()) {
      this.#state = this.#take(entry);
      this.#head = entry.seq;
    }
    this.#isBehind = false;
  }

  /** What cannot be folded is left out: the stream goes on without it. */
  #take(entry: Entry): State {
    const aggregate = this.#aggregate;
    let cause: unknown = aggregate.findProblem(entry);
    try {
      if (cause === undefined) return aggregate.evolve(this.#state, aggregate.read(entry));
    } catch (thrown) {
      cause = thrown;
    }
    this.#deps.quarantine?.add(`the stream ${aggregate.name}`, entry, cause);
    return aggregate.distrust?.(this.#state) ?? this.#state;
  }

  async *#unread(): AsyncIterable<Entry> {
    const { log } = this.#deps;
    const unread = { stream: this.#stream, after: this.#head };
    const { recall: limit } = this.#aggregate;
    if (limit === undefined) {
      yield* log.read(unread);
      return;
    }
    const newest = await Array.fromAsync(log.read({ ...unread, limit, backwards: true }));
    yield* newest.toReversed();
  }

  /** Answers those whose key was used before, and gives back the others. */
  async #answerKnown(
    round: readonly Waiting<Command, Event>[],
  ): Promise<readonly Waiting<Command, Event>[]> {
    if (round.every(({ key }) => key === undefined)) return round;
    const { log, settled } = this.#deps;
    const fresh: Waiting<Command, Event>[] = [];
    for (const item of round) {
      const earlier = item.key && (await log.findKey(item.key.id));
      if (earlier === undefined) {
        fresh.push(item);
      } else if (earlier.digest === item.key?.digest) {
        await settled(earlier.seq);
        this.#answerAgain(item, earlier);
      } else {
        item.answer.resolve(refuse("key.reused", item.key?.id));
      }
    }
    return fresh;
  }

  #answerAgain(
    { answer }: Waiting<Command, Event>,
    { seq, entries }: Omit<KeyRecord, "digest">,
  ): void {
    const position = { epoch: this.#deps.log.epoch, seq };
    try {
      const events = entries.map(this.#aggregate.read);
      answer.resolve(accept({ position, events, repeated: true }));
    } catch (fault) {
      // What was done then cannot be told any more; those who wait beside it have nothing to do with it.
      answer.reject(fault);
    }
  }

  /** Without a pause, so that no other stream's append comes between these. */
  #decide(round: readonly Waiting<Command, Event>[]): readonly Made<Command, Event>[] {
    const aggregate = this.#aggregate;
    let state = this.#state;
    let expected: Expected = this.#head;
    return round.map((item) => {
      item.tries++;
      try {
        const decision = aggregate.decide(state, item.command);
        if (!decision.ok) return { item, events: [], result: Promise.resolve(decision) };
        const events = decision.value;
        const next = events.reduce((was, event) => aggregate.evolve(was, event), state);
        const result = this.#append(expected, events, item);
        state = next;
        expected = "after-previous";
        return { item, events, result };
      } catch (fault) {
        // A decider with a bug fails its own command, not those it shares a round with.
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- passed on as it was thrown
        return { item, events: [], result: Promise.reject(fault) };
      }
    });
  }

  #append(
    expected: Expected,
    events: readonly Event[],
    { key, guard }: Terms,
  ): Promise<AppendResult> {
    const { log, clock } = this.#deps;
    const { write } = this.#aggregate;
    const drafts = events.map((event) => ({
      type: event.type,
      at: clock.now(),
      data: write(event),
    }));
    return log.append(this.#stream, expected, drafts, {
      ...(key === undefined ? {} : { key }),
      ...(guard === undefined ? {} : { guard }),
    });
  }

  async #finish(made: readonly Made<Command, Event>[]): Promise<void> {
    const results = await Promise.allSettled(made.map(({ result }) => result));
    const answers: (() => void)[] = [];
    const again: Waiting<Command, Event>[] = [];
    let last = 0;
    // True once something of the round was not written that what follows was decided on.
    let isBroken = false;
    for (const [index, { item, events }] of made.entries()) {
      const { resolve, reject } = item.answer;
      const settledAs = results[index];
      if (settledAs?.status !== "fulfilled") {
        isBroken = true;
        answers.push(() => reject(settledAs?.reason));
        continue;
      }
      const result = settledAs.value;
      if ("code" in result) {
        if (isBroken) again.push(item);
        else answers.push(() => resolve(result));
        continue;
      }
      if (result.ok) {
        const { position, entries, repeated } = result;
        last = Math.max(last, position.seq);
        if (repeated) {
          isBroken = true;
          answers.push(() => this.#answerAgain(item, { seq: position.seq, entries }));
        } else {
          this.#fold(events, position.seq);
          answers.push(() => resolve(accept({ position, events, repeated })));
        }
        continue;
      }
      isBroken = true;
      const refusal = this.#refusalOf(result, item);
      if (refusal === undefined) again.push(item);
      else answers.push(() => resolve(refusal));
    }
    if (isBroken) this.#isBehind = true;
    this.#queue.unshift(...again);
    await this.#deps.settled(last);
    for (const answer of answers) answer();
  }

  #fold(events: readonly Event[], seq: number): void {
    if (events.length === 0) return;
    for (const event of events) this.#state = this.#aggregate.evolve(this.#state, event);
    this.#head = seq;
  }

  /** Undefined: someone was faster, decide again. */
  #refusalOf(
    result: Exclude<AppendResult, { ok: true }>,
    { tries, key }: Waiting<Command, Event>,
  ): Refusal | undefined {
    switch (result.reason) {
      case "busy":
        return refuse("log.busy");
      case "unavailable":
        return AWAY;
      case "fenced":
        return refuse("log.fenced");
      case "oversize":
        return refuse("log.oversize", `at most ${result.maxBytes} bytes`);
      case "key-reused":
        return refuse("key.reused", key?.id);
      case "conflict":
        return tries < MAX_TRIES ? undefined : refuse("log.contended", this.#stream);
    }
  }
}
