import type { LineComment } from "@atrium/wire/world";
import { cleanText } from "../../platform/clean-text.ts";
import type { LineRemark } from "./anchor-comments.ts";

/** As people sent it, at whichever door. */
export function remarkOf({
  path,
  side,
  line,
  end_line: endLine = line,
  text,
}: LineComment): LineRemark {
  return { path, side, line, endLine, text: cleanText(text) };
}
