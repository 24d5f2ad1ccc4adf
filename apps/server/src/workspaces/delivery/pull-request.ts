/** A branch that was delivered, pushed and proposed by `gh`, with the person's own credentials and hooks. */
import { accept, refuse, type Outcome } from "@atrium/core";
import { refusalOf } from "../git/git-refusal.ts";
import { textOf, type Git, type GitResult } from "../git/git.ts";
import type { DeliveryRequest } from "../port/delivery.ts";
import type { DeliveryTools } from "./deliver.ts";
import { readHead } from "./person-repository.ts";

const TIMEOUT_MS = 2 * 60_000;

/** The address of the pull request; of the one that is there, where there is one. */
export async function openPullRequest(
  { kit, person, path, base }: DeliveryTools,
  branch: string,
  { title, body }: Pick<DeliveryRequest, "title" | "body">,
): Promise<Outcome<string>> {
  const { git, gh } = person;
  const head = await readHead(kit.git, path);
  if (!head.ok) return head;
  const into = base ?? head.value;
  const remote = await remoteFor(git, path, into);
  if (!remote.ok) return remote;
  const call = { folder: path, timeoutMs: TIMEOUT_MS };
  const version = await gh.run(["--version"], call);
  if (!version.ok) {
    const found = version.why === "missing" ? "there is no gh on this machine" : version.complaint;
    return refuse("delivery.impossible", `${found}; ${branch} is in ${path}, push it yourself`);
  }
  const spec = `refs/heads/${branch}:refs/heads/${branch}`;
  const args = ["-C", path, "push", "--quiet", "--no-follow-tags", "--", remote.value, spec];
  const pushed = await git.run(args, { timeoutMs: TIMEOUT_MS });
  if (!pushed.ok) return refusalOf(pushed, "delivery.unsafe");
  const open = await gh.run(["pr", "view", branch, "--json", "url", "--jq", ".url"], call);
  if (open.ok) return addressIn(open);
  const where = into === undefined ? [] : ["--base", into];
  const create = ["pr", "create", "--head", branch, ...where, "--title", title];
  const made = await gh.run([...create, "--body-file", "-"], { ...call, input: body });
  return made.ok ? addressIn(made) : refusalOf(made, "delivery.unsafe");
}

function addressIn({ stdout }: Pick<GitResult, "stdout">): Outcome<string> {
  const address = textOf(stdout).split("\n").at(-1) ?? "";
  return /^https?:\/\/\S+$/.test(address)
    ? accept(address)
    : refuse("delivery.unsafe", `gh told no address: ${address.slice(0, 200)}`);
}

/** Where the branch goes that work started from, else `origin`, else the only one there is. */
async function remoteFor(
  git: Git,
  path: string,
  branch: string | undefined,
): Promise<Outcome<string>> {
  const listed = await git.run(["-C", path, "remote"]);
  if (!listed.ok) return refusalOf(listed, "delivery.unsafe");
  const remotes = textOf(listed.stdout).split("\n").filter(Boolean);
  const key = `branch.${branch}.remote`;
  const usual = branch === undefined ? undefined : await git.run(["-C", path, "config", key]);
  const named = usual?.ok === true ? textOf(usual.stdout) : "origin";
  const remote = remotes.find((name) => name === named) ?? remotes[0];
  return remote === undefined
    ? refuse("delivery.impossible", `${path} has no remote to push to`)
    : accept(remote);
}
