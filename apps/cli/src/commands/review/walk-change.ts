/**
 * A change file by file, for a person at a terminal. What they remark is gathered and sent with their verdict; nothing
 * is sent before, and who leaves with unsent remarks is asked once more.
 */
import type { WorldClient } from "@atrium/client";
import type { LineComment } from "@atrium/wire/world";
import { EXIT, messageOf } from "../../command-line/cli-error.ts";
import type { ServerPlace } from "../../server/find-server.ts";
import { count } from "../../terminal/measures.ts";
import { plainLine, plainText } from "../../terminal/plain-text.ts";
import { readLine } from "../../terminal/read-line.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { threadText } from "./change-text.ts";
import { showPatch } from "./patch-view.ts";
import { readPatch, type Change } from "./read-change.ts";
import { parseLines, placeOf, suggest } from "./remark.ts";

interface ReviewWalk {
  readonly world: Pick<WorldClient, "command">;
  readonly place: ServerPlace;
  readonly change: Change;
  readonly terminal: Terminal;
}

const NAME_LENGTH = 120;
const KEYS =
  "Enter or n: next file, p: previous, w: all of a long one, c: comment, e: suggest other lines, d: a comment is done with, a: approve, r: request changes, q: leave";

export async function walkChange(walk: ReviewWalk): Promise<number> {
  return new Walk(walk).run();
}

class Walk {
  readonly #walk: ReviewWalk;
  readonly #remarks: LineComment[] = [];
  #at = 0;
  /** The key that would lose remarks, when it was pressed last. */
  #warned: string | undefined;

  constructor(walk: ReviewWalk) {
    this.#walk = walk;
  }

  async run(): Promise<number> {
    this.#note(KEYS);
    await this.#show(false);
    for (;;) {
      const key = await this.#ask(this.#prompt());
      const code = await this.#press(key?.trim().toLowerCase() ?? "q");
      if (code !== undefined) return code;
    }
  }

  /** The exit code where that was the last word. */
  async #press(key: string): Promise<number | undefined> {
    if (key !== this.#warned) this.#warned = undefined;
    switch (key) {
      case "":
      case "n":
        return this.#go(1);
      case "p":
        return this.#go(-1);
      case "w":
        return this.#show(true);
      case "c":
        return this.#comment();
      case "e":
        return this.#suggest();
      case "d":
        return this.#resolve();
      case "a":
        return this.#approve();
      case "r":
        return this.#requestChanges();
      case "q":
        return this.#leave();
      default:
        return this.#note(KEYS);
    }
  }

  async #go(step: number): Promise<undefined> {
    const next = this.#at + step;
    if (next < 0 || next >= this.#walk.change.files.length) {
      return this.#note(next < 0 ? "This is the first file." : "That was the last file: a or r?");
    }
    this.#at = next;
    return this.#show(false);
  }

  async #show(isWhole: boolean): Promise<undefined> {
    const { place, change, terminal } = this.#walk;
    const file = change.files[this.#at];
    if (file === undefined) return;
    const { paint, out } = terminal;
    out(`\n${paint.strong(plainLine(file.path, NAME_LENGTH))}\n`);
    const { patch } = await readPatch(place, change, file.path, isWhole);
    if (patch === undefined) this.#note("It is long; w shows all of it.");
    else out(showPatch(patch, paint));
    for (const comment of change.comments) {
      if (comment.place.path === file.path) out(threadText(comment, paint));
    }
  }

  async #comment(): Promise<undefined> {
    const place = await this.#askPlace();
    if (place === undefined) return;
    const text = (await this.#ask("comment › "))?.trim() ?? "";
    if (text === "") return this.#note("Nothing was noted.");
    this.#keep({ ...place, text });
  }

  /** Lines that stand in place of others: sent with the comments, or put there at once. */
  async #suggest(): Promise<number | undefined> {
    const place = await this.#askPlace();
    if (place === undefined) return undefined;
    const text = await this.#askLines();
    if (text === undefined) return this.#note("Nothing was noted.");
    const remark = suggest({ ...place, text });
    // A new version ends this review: what is noted would be lost with it.
    const isAlone = this.#remarks.length === 0;
    const typed = isAlone ? await this.#ask("put it there now (y), or send it with r? › ") : "";
    if (!/^y/i.test(typed ?? "")) return this.#keep(remark);
    const made = { ...this.#seen(), comments: [remark] };
    const version = this.#walk.change.version + 1;
    return this.#send(
      this.#walk.world.command("apply_suggestions", made),
      `applied as version ${version}`,
    );
  }

  async #resolve(): Promise<undefined> {
    const { world, change } = this.#walk;
    const open = change.comments.filter((comment) => comment.resolved_by === undefined);
    if (open.length === 0) return this.#note("No comment is open.");
    const typed = (await this.#ask("id of the comment › "))?.trim() ?? "";
    const comment = open.find(({ comment_id: id }) => id === typed);
    if (comment === undefined) return this.#note("No open comment has that id.");
    const done = { artifact_id: change.artifact, comment_id: comment.comment_id };
    await this.#send(world.command("resolve_comment", done), "resolved");
  }

  /** Typed one after another, or pasted; undefined when the person has left. */
  async #askLines(): Promise<string | undefined> {
    const lines: string[] = [];
    for (;;) {
      const typed = await this.#ask(`line ${lines.length + 1} instead (a single . ends) › `);
      if (typed === undefined) return undefined;
      const fresh = typed.split("\n");
      const end = fresh.indexOf(".");
      lines.push(...fresh.slice(0, end === -1 ? undefined : end));
      if (end !== -1) return lines.join("\n");
    }
  }

  async #askPlace(): Promise<Omit<LineComment, "text"> | undefined> {
    const path = this.#walk.change.files[this.#at]?.path;
    if (path === undefined) return this.#note("There is no file to comment on.");
    const typed = await this.#ask("line (12, 12-14, -12 for a removed one) › ");
    const lines = typed === undefined ? undefined : parseLines(typed);
    return lines === undefined
      ? this.#note("No such line. Nothing was noted.")
      : { path, ...lines };
  }

  #keep(remark: LineComment): undefined {
    this.#remarks.push(remark);
    return this.#note(`Noted at ${placeOf(remark)}; r sends it.`);
  }

  async #approve(): Promise<number | undefined> {
    if (this.#mustWarn("a", "Press a again to approve without them.")) return undefined;
    const seen = this.#seen();
    return this.#send(this.#walk.world.command("approve_artifact", seen), "approved");
  }

  async #requestChanges(): Promise<number | undefined> {
    const hint = this.#remarks.length === 0 ? "" : " (Enter: the comments say it all)";
    const words = await this.#ask(`what should change${hint} › `);
    const instructions = words?.trim() ?? "";
    if (words === undefined || (instructions === "" && this.#remarks.length === 0)) {
      return this.#note("Nothing was sent.");
    }
    const wish = { instructions, comments: this.#remarks };
    return this.#send(
      this.#walk.world.command("request_changes", { ...this.#seen(), ...wish }),
      "sent",
    );
  }

  #leave(): number | undefined {
    if (this.#mustWarn("q", "Press q again to leave without them.")) return undefined;
    return EXIT.ok;
  }

  #mustWarn(key: string, advice: string): boolean {
    if (this.#remarks.length === 0 || this.#warned === key) return false;
    this.#warned = key;
    this.#note(`${count(this.#remarks.length, "comment")} not sent. ${advice}`);
    return true;
  }

  async #send(command: Promise<unknown>, done: string): Promise<number | undefined> {
    try {
      await command;
    } catch (cause) {
      return this.#note(`not accepted: ${messageOf(cause)}`);
    }
    this.#note(done);
    return EXIT.ok;
  }

  #seen(): { readonly artifact_id: string; readonly expected_version: number } {
    const { artifact, version } = this.#walk.change;
    return { artifact_id: artifact, expected_version: version };
  }

  #prompt(): string {
    const { length } = this.#walk.change.files;
    const noted = this.#remarks.length === 0 ? "" : `, ${count(this.#remarks.length, "comment")}`;
    return `file ${Math.min(this.#at + 1, length)} of ${length}${noted} › `;
  }

  #ask(prompt: string): Promise<string | undefined> {
    return readLine(this.#walk.terminal, { prompt });
  }

  #note(text: string): undefined {
    const { terminal } = this.#walk;
    terminal.err(`${terminal.errPaint.quiet(plainText(text))}\n`);
  }
}
