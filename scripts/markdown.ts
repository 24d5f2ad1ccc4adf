/** The little of Markdown that check-docs needs: code spans, links, and the anchors of headings. */

export function codeSpansIn(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
}

export function linksIn(markdown: string): string[] {
  const prose = withoutFences(markdown).replaceAll(/`[^`\n]*`/g, "");
  const inline = prose.matchAll(/\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/g);
  const references = prose.matchAll(/^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?/gm);
  return [...inline, ...references].map((match) => match[1] ?? "");
}

/** As GitHub makes them: lower case, punctuation gone, a hyphen per space, repeats numbered. */
export function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  const headings = withoutFences(markdown).matchAll(/^#{1,6}\s+(.+?)\s*#*\s*$/gm);
  for (const [, heading = ""] of headings) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let repeat = 1; anchors.has(anchor); repeat++) anchor = `${slug}-${repeat}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

/** Lines that are prose: no fence, indented code, table row, or line that is a picture or HTML. */
export function proseIn(markdown: string): { readonly number: number; readonly text: string }[] {
  let isFenced = false;
  return markdown.split("\n").flatMap((text, index) => {
    const isFence = /^\s*(?:```|~~~)/.test(text);
    if (isFence) isFenced = !isFenced;
    if (isFence || isFenced || /^(?: {4}|\||!\[|<)/.test(text)) return [];
    return [{ number: index + 1, text }];
  });
}

function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^\s*(```|~~~)[^]*?^\s*\1.*$/gm, "");
}
