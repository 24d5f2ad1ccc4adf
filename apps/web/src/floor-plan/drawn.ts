/** A description of SVG elements, and the shapes it is made of. Pure; putting it into a page is svg.ts. */
export interface Drawn {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly Drawn[];
}

export function rectangle(
  className: string,
  [x, y, width, height]: readonly [number, number, number, number],
  corner = 0.06,
): Drawn {
  const [left, top, wide, tall, rx] = [x, y, width, height, corner].map(trim) as Five;
  const attributes = { class: className, x: left, y: top, width: wide, height: tall, rx };
  return { name: "rect", attributes };
}

type Five = [string, string, string, string, string];

/** To the millimeter. */
export function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}
