/**
 * An answer that arrives as deltas, as its whole so far, and as its final text, some of which may be
 * missing: what is new of it each time.
 *
 * What was passed on cannot be taken back. An answer that turns out otherwise is told again, as a new
 * paragraph.
 */
export interface AnswerText {
  /** Words on their way: what is new, and the whole so far where it is known. */
  merge(delta: string | undefined, whole: string | undefined): string;
  concluded(whole: string): string;
}

export function createAnswerText(): AnswerText {
  let all = "";
  /** The part of it that the whole is compared with; begins anew when the answer does. */
  let part = "";

  function add(text: string): string {
    all += text;
    part += text;
    return text;
  }
  function startAgain(whole: string): string {
    const gap = all === "" ? "" : "\n\n";
    all += `${gap}${whole}`;
    part = whole;
    return `${gap}${whole}`;
  }
  return {
    merge(delta, whole) {
      if (whole === undefined) return add(delta ?? "");
      if (whole.startsWith(part)) return add(whole.slice(part.length));
      // Frames that were spared or repeated are older than what is known.
      if (part.startsWith(whole)) return "";
      return startAgain(whole);
    },
    concluded(whole) {
      if (whole.startsWith(all)) return add(whole.slice(all.length));
      if (whole.startsWith(part)) return add(whole.slice(part.length));
      return squeezed(all).endsWith(squeezed(whole)) ? "" : startAgain(whole);
    },
  };
}

/** What was told in paragraphs may be written without them in the end. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
