/** Files inside a request: data URLs, decoded. What lies elsewhere is not fetched. */
import type { IncomingFile } from "../../../runs/message-intake.ts";
import { bad, good, invalid, type Read } from "../outbound/problem.ts";

const HEAD = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^;,]*)*;base64,$/i;
const MAX_HEAD_CHARS = 256;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

export function readDataUrl(
  url: string,
  param: string,
  nameOf: (mediaType: string) => string,
): Read<IncomingFile> {
  const comma = url.slice(0, MAX_HEAD_CHARS).indexOf(",");
  const mediaType = HEAD.exec(url.slice(0, comma + 1))?.[1]?.toLowerCase();
  if (mediaType === undefined) {
    const message = "Only data URLs in base64 are taken; nothing is fetched from elsewhere.";
    return bad(invalid(param, message, "invalid_image_url"));
  }
  const data = url.slice(comma + 1);
  if (data === "" || !BASE64.test(data)) {
    return bad(invalid(param, "The data URL is not base64.", "invalid_base64"));
  }
  return good({ name: nameOf(mediaType), mediaType, bytes: Buffer.from(data, "base64") });
}
