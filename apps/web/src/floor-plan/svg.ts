/** A description of SVG into the page, changing only what differs: focus stays where it is while people walk. */
import type { Drawn } from "./floor-plan.ts";

const SVG = "http://www.w3.org/2000/svg";

/** Makes `parent` hold exactly this one drawing. */
export function renderSvg(parent: Element, drawn: Drawn): void {
  const current = parent.firstElementChild;
  const element =
    current?.localName === drawn.name ? current : createIn(parent, drawn.name, current);
  while (element.nextElementSibling !== null) element.nextElementSibling.remove();
  fill(element, drawn);
}

function fill(element: Element, { attributes, text, children = [] }: Drawn): void {
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
    fill(kept, child);
    current = kept.nextElementSibling;
  }
  while (current !== null) {
    const next = current.nextElementSibling;
    current.remove();
    current = next;
  }
}

function isSameAgent(element: Element, { attributes }: Drawn): boolean {
  return (element.getAttribute("data-agent") ?? "") === (attributes["data-agent"] ?? "");
}

function createIn(parent: Element, name: string, before: Element | null): Element {
  const element = document.createElementNS(SVG, name);
  parent.insertBefore(element, before);
  return element;
}
