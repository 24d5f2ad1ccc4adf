/** A description of SVG into the page, changing only what differs: focus stays where it is while people walk. */
import type { SvgElement } from "./drawn.ts";

const SVG = "http://www.w3.org/2000/svg";

/** What each element was last made to be. */
type Shown = WeakMap<Element, SvgElement>;

/** Makes `parent` hold exactly this one drawing. With `shown`, what is the same object as last time is passed over. */
export function renderSvg(parent: Element, drawn: SvgElement, shown: Shown = new WeakMap()): void {
  const current = parent.firstElementChild;
  const element =
    current?.localName === drawn.name ? current : createIn(parent, drawn.name, current);
  while (element.nextElementSibling !== null) element.nextElementSibling.remove();
  fill(element, drawn, shown);
}

function fill(element: Element, drawn: SvgElement, shown: Shown): void {
  if (shown.get(element) === drawn) return;
  shown.set(element, drawn);
  const { attributes, text, children = [] } = drawn;
  for (const name of element.getAttributeNames()) {
    if (!Object.hasOwn(attributes, name)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
  if (text !== undefined) {
    if (element.textContent !== text) element.textContent = text;
    return;
  }
  let current = element.firstElementChild;
  for (const child of children) {
    const fits = current?.localName === child.name && isSameAgent(current, child);
    const kept = fits && current !== null ? current : createIn(element, child.name, current);
    fill(kept, child, shown);
    current = kept.nextElementSibling;
  }
  while (current !== null) {
    const next = current.nextElementSibling;
    current.remove();
    current = next;
  }
}

function isSameAgent(element: Element, { attributes }: SvgElement): boolean {
  return (element.getAttribute("data-agent") ?? "") === (attributes["data-agent"] ?? "");
}

function createIn(parent: Element, name: string, before: Element | null): Element {
  const element = document.createElementNS(SVG, name);
  parent.insertBefore(element, before);
  return element;
}
