/** The code beside the office. */
export const codeWords = {
  follow: "Follow the work",
  followFiles: "Follow the changes",
  none: "No code yet. It appears once an agent works in a folder.",
  notYet: "There are no files at this moment.",
  changed: (count: number): string =>
    count === 1 ? "1 file changed" : `${count.toLocaleString("en")} files changed`,
  beside: "Show it beside the timeline",
};
