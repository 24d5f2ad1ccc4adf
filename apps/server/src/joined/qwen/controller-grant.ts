/**
 * What `atrium join qwen --wake` has left in the home: the token with which sessions of Qwen Code take messages from us, and
 * the folder of the program that made it. It counts as long as the program lists it: a token that its user has taken back
 * would be answered with silence.
 */
import { createHash } from "node:crypto";
import { isAbsolute, join } from "node:path";
import { CONTROLLER_TOKENS } from "../../access/secret-shapes.ts";
import { listOf, parseFields, textIn, type Fields } from "../../agents/turn/json-fields.ts";
import { readInside } from "../sightings/transcripts/transcript-tail.ts";

export interface ControllerGrant {
  /** Of the program's files, out of which no link leads. */
  readonly folder: string;
  readonly token: string;
}

/** More than the program itself would read. */
const MAX_FILE_BYTES = 64 * 1024;

/** Undefined: nobody has asked for it, or it was taken back. */
export async function readGrant(homeFolder: string): Promise<ControllerGrant | undefined> {
  const kept = await readFields(join(homeFolder, "joined"), "qwen-controller.json");
  const [folder = "", token = ""] = [textIn(kept, "folder"), textIn(kept, "token")];
  if (!isAbsolute(folder) || !CONTROLLER_TOKENS.is(token)) return undefined;
  const listed = listOf((await readFields(folder, "peer-controllers.json"))["controllers"]);
  const digest = createHash("sha256").update(token).digest("hex");
  const isListed = listed.some((each) => textIn(each, "tokenHash") === digest);
  return isListed ? { folder, token } : undefined;
}

async function readFields(folder: string, name: string): Promise<Fields> {
  return parseFields((await readInside(folder, join(folder, name), MAX_FILE_BYTES)) ?? "") ?? {};
}
