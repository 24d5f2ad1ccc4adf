/** What can be asked of builds, by whichever door: the gateway's sockets and plain HTTP call the same. */
import {
  accept,
  refuse,
  type Answerer,
  type BuildRow,
  type Builds,
  type Outcome,
} from "@atrium/core";
import {
  buildAnswer,
  buildCancel,
  buildDecide,
  buildDiagnosis,
  buildEvents,
  buildFiles,
  buildGet,
  buildList,
  buildStart,
  type BuildEvent,
} from "@atrium/wire/build";
import type { BuildCommands } from "../../../builds/build-commands.ts";
import type { DecidePermission } from "../../../builds/decide-permission.ts";
import type { ReadBuildFiles } from "../../../builds/read-build-files.ts";
import type { ReadBuilds } from "../../../builds/read-builds.ts";
import { implement, type Caller, type Method } from "../../../pipeline/method-router.ts";
import { readAnswers, viewBuild, viewFile, viewOddity } from "../outbound/views.ts";

export interface BuildMethodDeps {
  readonly commands: BuildCommands;
  readonly builds: Pick<Builds, "list">;
  readonly read: ReadBuilds;
  readonly readFiles: ReadBuildFiles;
  readonly decidePermission: DecidePermission;
  readonly head: () => number;
}

const PAGE = 50;
const MAX_EVENTS = 500;

export interface BuildMethods<Who extends Caller> {
  readonly start: Method<Who>;
  readonly list: Method<Who>;
  readonly get: Method<Who>;
  readonly files: Method<Who>;
  readonly events: Method<Who>;
  readonly answer: Method<Who>;
  readonly decide: Method<Who>;
  readonly cancel: Method<Who>;
  readonly diagnosis: Method<Who>;
}

export function buildMethods<Who extends Caller>(
  { commands, builds, read, readFiles, decidePermission, head }: BuildMethodDeps,
  answererOf: (caller: Who) => Answerer,
): BuildMethods<Who> {
  async function find(id: string): Promise<Outcome<BuildRow>> {
    const row = await read.find(id);
    return row === undefined ? refuse("build.missing", id) : accept(row);
  }

  return {
    start: implement<typeof buildStart, Who>(
      buildStart,
      async ({ prompt, agent, repository }, { key }) => {
        const started = await commands.start({ prompt, agent, repository }, key);
        if (!started.ok) return started;
        const { id, sessionId, conversationKey, seq } = started.value;
        return accept({ id, session_id: sessionId, session_key: conversationKey, seq });
      },
    ),

    list: implement<typeof buildList, Who>(buildList, ({ limit = PAGE, cursor }) => {
      const before = cursor === undefined ? undefined : Number(cursor);
      if (before !== undefined && !Number.isSafeInteger(before)) return refuse("cursor.unreadable");
      // One more than asked for tells whether there is a next page.
      const rows = builds.list(limit + 1, before);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const hasNext = rows.length > limit && last !== undefined;
      return accept({
        builds: page.map(viewBuild),
        ...(hasNext && { next: String(last.firstSeq) }),
      });
    }),

    get: implement<typeof buildGet, Who>(buildGet, async ({ id }) => {
      const row = await find(id);
      return row.ok ? accept({ build: viewBuild(row.value) }) : row;
    }),

    files: implement<typeof buildFiles, Who>(buildFiles, async ({ id }) => {
      const row = await find(id);
      if (!row.ok) return row;
      const files = await readFiles(row.value);
      return accept({ files: files.map((file) => viewFile(id, file)) });
    }),

    events: implement<typeof buildEvents, Who>(buildEvents, async ({ id, after = 0 }) => {
      const row = await find(id);
      if (!row.ok) return row;
      if (after > head()) return refuse("position.foreign", String(after));
      const events: BuildEvent[] = [];
      for await (const event of read.eventsAfter(id, after)) {
        if (events.length === MAX_EVENTS) return accept({ events, has_more: true });
        events.push(event);
      }
      return accept({ events, has_more: false });
    }),

    answer: implement<typeof buildAnswer, Who>(
      buildAnswer,
      async ({ id, answers }, { caller, key }) => {
        const done = await commands.answer(id, readAnswers(answers), answererOf(caller), key);
        return done.ok ? accept({ id, seq: done.value.seq }) : done;
      },
    ),

    decide: implement<typeof buildDecide, Who>(buildDecide, async (params, { caller }) => {
      const { idempotencyKey: _key, ...decision } = params;
      const done = await decidePermission(decision, answererOf(caller));
      return done.ok ? accept({ id: decision.id, seq: done.value.seq }) : done;
    }),

    cancel: implement<typeof buildCancel, Who>(buildCancel, async ({ id }, { caller, key }) => {
      const done = await commands.cancel(id, answererOf(caller), key);
      if (!done.ok) return done;
      // Whoever cancels what is cancelled has missed nothing since its last event.
      const row = done.value.isChanged ? undefined : await read.find(id);
      return accept({ id, seq: row?.lastSeq ?? done.value.seq });
    }),

    diagnosis: implement<typeof buildDiagnosis, Who>(buildDiagnosis, async ({ id }) => {
      const row = await find(id);
      if (!row.ok) return row;
      return accept({ lines: (await read.oddities(id)).map(viewOddity) });
    }),
  };
}
