/** A description of SVG elements, and the shapes it is made of. Pure; putting it into a page is svg.ts. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly children?: readonly SvgElement[];
}

export function rectangle(
  className: string,
  [x, y, width, height]: readonly [number, number, number, number],
  corner = 0.06,
): SvgElement {
  const sides = { x: trim(x), y: trim(y), width: trim(width), height: trim(height) };
  return { name: "rect", attributes: { class: className, ...sides, rx: trim(corner) } };
}

/** To the millimeter. */
export function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000 + 0);
}
