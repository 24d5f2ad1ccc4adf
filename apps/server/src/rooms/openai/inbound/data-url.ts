/** Decodes the data URLs in a request. Files at other addresses are not fetched. */
import type { IncomingFile } from "../../../runs/message-intake.ts";
import { fail, ok, invalid, type Result } from "../outbound/problem.ts";

const HEAD = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^;,]*)*;base64,$/i;
const MAX_HEAD_CHARS = 256;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function readDataUrl(
  url: string,
  param: string,
  nameOf: (mediaType: string) => string,
): Result<IncomingFile> {
  const comma = url.slice(0, MAX_HEAD_CHARS).indexOf(",");
  const mediaType = HEAD.exec(url.slice(0, comma + 1))?.[1]?.toLowerCase();
  if (mediaType === undefined) {
    const message = "Only data URLs in base64 are taken; nothing is fetched from elsewhere.";
    return fail(invalid(param, message, "invalid_image_url"));
  }
  const data = url.slice(comma + 1);
  if (data === "" || !BASE64.test(data)) {
    return fail(invalid(param, "The data URL is not base64.", "invalid_base64"));
  }
  return ok({ name: nameOf(mediaType), mediaType, bytes: Buffer.from(data, "base64") });
}
