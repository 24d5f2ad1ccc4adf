/** Looking through a change: files, lines, comments, checks. */
export const reviewWords = {
  back: "Back to the office",
  details: "Details",
  keys: "Keys",
  split: "Side by side",
  source: "Source",
  against: "Compare with",
  base: "start of the work",
  conflict: "the conflict it resolves",
  ctrlEnter: "Ctrl ↵",
  diffLabel: (files: number): string =>
    files === 1
      ? "What changed, in 1 file"
      : `What changed, in ${files.toLocaleString("en")} files`,
  gap: (lines: number | undefined): string =>
    lines === undefined
      ? "The rest of the file"
      : lines === 1
        ? "1 line unchanged"
        : `${lines.toLocaleString("en")} lines unchanged`,
  nothingChanged: "No file differs.",
  progress: (viewed: number, all: number, hasMore: boolean): string =>
    `${viewed.toLocaleString("en")} of ${all.toLocaleString("en")}${hasMore ? "+" : ""} files viewed`,
  viewed: "Viewed",
  evidence: "Tools and words",
  foldFile: (path: string): string => `Show or hide ${path}`,
  viewsOf: (path: string): string => `How to show ${path}`,
  wholeFile: "Whole file",
  asItReads: "As it reads",
  binary: "This is not text. The page cannot show it.",
  sides: { old: "Before", new: "After" },
  flags: { check: "decides about checks", ci: "part of CI", lock: "lock file" },
  flagged: "Look at these twice",
  omitted: "Left out of the change",
  omittedWhy: {
    secret: "looks like a secret",
    large: "too large",
    nested: "a repository of its own",
    unreadable: "could not be read",
    name: "not a possible file name",
  },
  instructions: "What was asked for",
  acceptance: "What must hold",
  threads: "Comments",
  checks: "Checks",
  checkStates: {
    running: "running",
    passed: "passed",
    failed: "failed",
    error: "could not run",
    skipped: "skipped",
  },
  optionalCheck: "not required",
  summary: "What the agent says",
  unfinished: "The agent reached a limit before it was finished.",
  howMade: "How it was made",
  commentStates: {
    resolved: "resolved",
    addressed: "addressed",
    untouched: "not addressed",
    outdated: "its lines are gone",
  },
  commentOf: (version: number, line: number): string => `on line ${line} of version ${version}`,
  answer: "The agent’s answer",
  resolve: "Resolve",
  draft: "not sent yet",
  draftOf: (version: number): string => `not sent, for version ${version}`,
  commentOnLine: (line: number): string => `Comment on line ${line}`,
  commentOnLines: (from: number, to: number): string => `Comment on lines ${from} to ${to}`,
  notCommentable:
    "Lines of another version cannot be commented on. Compare with the start of the work first.",
  commentExample: "What should be different here?",
  keep: "Keep comment",
  edit: "Edit",
  discard: "Discard",
  suggest: "Suggest other lines",
  apply: "Apply it now",
  changesField: (comments: number): string =>
    comments === 1
      ? "What should change? (optional: your comment is sent along)"
      : `What should change? (optional: your ${comments} comments are sent along)`,
  toSend: (comments: number): string =>
    comments === 1
      ? "1 comment is sent with your request for changes."
      : `${comments} comments are sent with your request for changes.`,
  landings: {
    pending: "Approved. The change is being merged into the project.",
    landed: "This change is part of the project.",
    conflicted: "Another change got in the way. The agent is bringing the two together.",
    reverting: "The change is being taken back.",
    reverted: "This change was taken back.",
  },
  conflictsIn: (paths: readonly string[]): string => `Both changed ${paths.join(", ")}.`,
  revert: "Take the change back",
  revertSure: "Really take it back?",
  keyList: [
    ["j k", "next and previous line"],
    ["Shift j k", "choose more lines"],
    ["n p", "next and previous change"],
    ["] [", "next and previous file"],
    ["c", "comment on the chosen lines"],
    ["e", "unfold unchanged lines"],
    ["v", "file viewed, or not"],
    ["s", "side by side, or one below the other"],
    ["a", "approve"],
    ["r", "request changes"],
    ["Esc", "back to the office"],
  ] as readonly (readonly [keys: string, does: string])[],
};
