/** What a person types to look at what was delivered, and to take it over. Pure. */
import type { WorldProject } from "@atrium/wire/world";

type Delivery = NonNullable<WorldProject["deliveries"]>[number];

export interface DeliveryCommands {
  /** Undefined where there is nothing to type. */
  readonly look?: string;
  readonly take?: string;
  /** A file to download, or an address to open. */
  readonly address?: string;
}

export function commandsFor({ how, ref }: Delivery): DeliveryCommands {
  const branch = quoted(ref.replace(/^refs\/heads\//, ""));
  switch (how) {
    case "branch":
      return { look: `git log -p HEAD..${branch}`, take: `git merge ${branch}` };
    case "fast-forward":
      return { look: "git log -p ORIG_HEAD..", take: "git pull --ff-only" };
    case "folder":
      return { look: `cd ${quoted(ref)}` };
    case "patch":
      return { take: `git am ${quoted(fileOf(ref))}`, address: ref };
    case "bundle":
      return { take: `git pull ${quoted(fileOf(ref))}`, address: ref };
    case "zip":
      return { address: ref };
    case "pull-request":
      return /^https?:\/\//.test(ref) ? { address: ref } : {};
    // A newer server may deliver in ways that this page does not know.
    default:
      return {};
  }
}

function fileOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}

/** As one word of a shell, whatever is in it. */
function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
