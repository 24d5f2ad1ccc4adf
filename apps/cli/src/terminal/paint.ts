/** Colors, or none: a quiet few, each with one meaning. */
import { styleText } from "node:util";

export interface Paint {
  readonly strong: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly good: (text: string) => string;
  readonly doubtful: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly link: (text: string) => string;
}

const asItIs = (text: string): string => text;

export function createPaint(isColorful: boolean): Paint {
  const style = (format: Parameters<typeof styleText>[0]) =>
    isColorful
      ? (text: string): string => styleText(format, text, { validateStream: false })
      : asItIs;
  return {
    strong: style("bold"),
    quiet: style("dim"),
    good: style("green"),
    doubtful: style("yellow"),
    bad: style("red"),
    link: style("cyan"),
  };
}
