/** What a confined program has of its user's login, and what people are told when that was not enough. */
export type ShownLogin =
  /** Copies of these files; none, where there were none. */
  | {
      readonly type: "copied";
      readonly files: readonly string[];
      readonly looked: readonly string[];
    }
  /** `sandbox.login` is false. */
  | { readonly type: "off" }
  /** Nobody knows where it keeps one. */
  | { readonly type: "unknown" };

const OR_KEY = "or name the variable of a key in env of its runtime";
const MAX_NAMED = 3;

/** The way out for whoever reads that it wants to be logged in; undefined: it is not confined. */
export function describeShownLogin(login: ShownLogin | undefined): string {
  switch (login?.type) {
    case undefined:
      return "";
    case "off":
      return ` It works in a sandbox without your login, because sandbox.login of its runtime is false: remove that, ${OR_KEY}.`;
    case "unknown":
      return ` It works in a sandbox that has nothing of your home: set program of its runtime if it is one that Atrium knows, ${OR_KEY}.`;
    case "copied": {
      const { files, looked } = login;
      const what =
        files.length === 0
          ? `found no login to copy there: it looked for ${listed(looked)}`
          : `has copies of ${listed(files)} there`;
      return ` It works in a sandbox and ${what}. A login that is kept elsewhere, such as in a keychain, it cannot read: log in so that it is in a file, ${OR_KEY}.`;
    }
  }
}

function listed(files: readonly string[]): string {
  const named = files.slice(0, MAX_NAMED).join(", ");
  return files.length > MAX_NAMED ? `${named} and ${files.length - MAX_NAMED} more` : named;
}

/** Whether a program speaks of a login that it lacks. */
export function isAboutLogin(text: string): boolean {
  return /\b(?:401|403)\b|unauthori[sz]ed|authenticat|not (?:logged|signed) in|log ?in|api.?key|credential/i.test(
    text,
  );
}
