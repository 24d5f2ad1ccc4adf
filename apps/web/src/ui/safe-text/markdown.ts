/**
 * Text from agents as HTML that can do nothing.
 *
 *   text -> marked (no HTML of its own, links and pictures as buttons) -> DOMPurify (a short list of elements) -> HTML
 *
 * Two locks, because either may have a flaw: what marked writes is already harmless, and DOMPurify knows nothing but
 * these elements. A link opens, and a picture loads, only when a person presses it.
 */
import DOMPurify from "dompurify";
import { Marked, type Tokens } from "marked";

/** Longer texts are shown up to here; the whole is a download. */
export const MAX_CHARS = 200_000;

const ELEMENTS =
  "p br hr h1 h2 h3 h4 h5 h6 blockquote ul ol li pre code strong em del table thead tbody tr th td button".split(
    " ",
  );
const ATTRIBUTES = ["data-href", "start", "type", "class"];
const OUTWARD = /^(?:https?|mailto):/i;

const marked = new Marked({
  async: false,
  gfm: true,
  renderer: {
    html: ({ text }: Tokens.HTML | Tokens.Tag) => escaped(text),
    link({ href, tokens }) {
      return outward(href, this.parser.parseInline(tokens));
    },
    image: ({ href, text }) => outward(href, `▣ ${escaped(text)}`),
    heading({ depth, tokens }) {
      // The page has headings of its own above these.
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
    code: ({ text }) => `<pre><code>${escaped(text)}</code></pre>`,
  },
});

export function renderMarkdown(text: string): string {
  const html = marked.parse(text.slice(0, MAX_CHARS), { async: false });
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: ELEMENTS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}

/** The blocks of a text, in order: paragraphs, lists, pieces of code. */
export function markdownBlocks(text: string): string[] {
  return marked.lexer(text.slice(0, MAX_CHARS)).map(({ raw }) => raw);
}

/** Where a press leads; undefined for what is not of the web. */
export function readHref(href: string): string | undefined {
  return OUTWARD.test(href) ? href : undefined;
}

function outward(href: string, label: string): string {
  if (readHref(href) === undefined) return label;
  return `<button type="button" class="outward" data-href="${escaped(href)}">${label}</button>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
