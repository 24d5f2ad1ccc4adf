/** Pull requests, with a remote that is a real repository and a `gh` that keeps what it was asked. */
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { skipWithout } from "../../../../scripts/system-programs.ts";
import { systemTimers } from "../platform/timers.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { codeOf, detailOf, value, type OpenTested } from "./testing/bench-top.ts";
import { landed, openTrack, seal, start, type Track } from "./testing/track.ts";
import { git, write } from "./testing/user-repository.ts";

const PATH = process.env["PATH"] ?? "";
const REQUEST = {
  how: "pull-request",
  name: "atrium/page",
  title: "A page; $(touch x)",
  body: "By agents\n`touch x`\n",
} as const;

/** It answers as `gh` does: `pr view` fails until `pr create` was asked for, which tells the address last. */
const GH = `#!/bin/sh
cd "$(dirname "$0")" || exit 1
case "$1 $2" in
  "--version ") echo "gh version 2.0.0" ;;
  "pr view") if [ -e made ]; then echo "https://example.org/pull/7"; else echo "no pull requests found" >&2; exit 1; fi ;;
  "pr create") echo "$@" > made; cat > body; env > surroundings; echo "Creating pull request"; echo "https://example.org/pull/7" ;;
  *) exit 2 ;;
esac
`;

interface Desk extends Track {
  readonly bin: string;
  readonly remote: string;
}

async function openDesk(hasGh = true): Promise<Desk> {
  let bin = "";
  const open: OpenTested = (root) => {
    bin = join(root, "../../bin");
    const path = `${bin}:${PATH}`;
    const env: Readonly<Record<string, string>> = {
      PATH: path,
      HOME: join(root, "../.."),
      ATRIUM_TOKEN: "secret",
    };
    return openWorkspaces({ root, path, timers: systemTimers, readEnv: (name) => env[name] });
  };
  const top = await openTrack(open);
  if (hasGh) {
    write(bin, { gh: GH });
    chmodSync(join(bin, "gh"), 0o755);
  }
  const remote = join(top.folder, "remote.git");
  git(top.folder, "init", "--quiet", "--bare", remote);
  git(top.repository, "remote", "add", "origin", remote);
  git(top.repository, "push", "--quiet", "origin", "main");
  const { folder } = await start(top, "one");
  write(folder, { "new.txt": "new\n" });
  await landed(top, "one", await seal(top, "one"));
  return { ...top, bin, remote };
}

describe("pull requests", { skip: skipWithout("git") }, () => {
  test("[SPACE-35] are pushed and opened once, with what was written about them", async () => {
    await using top = await openDesk();
    const told = value(await top.spaces.deliver("shop", "prj", REQUEST));
    assert.deepEqual(
      [told.how, told.ref, told.to],
      ["pull-request", "atrium/page", "https://example.org/pull/7"],
    );
    assert.equal(git(top.remote, "rev-parse", "atrium/page"), told.commit);
    const asked = readFileSync(join(top.bin, "made"), "utf8");
    assert.equal(
      asked.trim(),
      `pr create --head atrium/page --base main --title ${REQUEST.title} --body-file -`,
    );
    assert.equal(readFileSync(join(top.bin, "body"), "utf8"), REQUEST.body);
    assert.equal(existsSync(join(top.bin, "x")), false);
    assert.doesNotMatch(readFileSync(join(top.bin, "surroundings"), "utf8"), /ATRIUM_TOKEN/);
    assert.deepEqual(value(await top.spaces.deliver("shop", "prj", REQUEST)), told);
    assert.equal(readFileSync(join(top.bin, "made"), "utf8"), asked, "not asked again");
  });

  test("[SPACE-35] are refused without gh, and the branch is there to be pushed", async () => {
    await using top = await openDesk(false);
    const refused = await top.spaces.deliver("shop", "prj", REQUEST);
    assert.equal(codeOf(refused), "delivery.impossible");
    assert.match(detailOf(refused), /no gh on this machine; atrium\/page is in/);
    assert.equal(git(top.repository, "show", "atrium/page:new.txt"), "new");
    assert.throws(() => git(top.remote, "rev-parse", "--verify", "atrium/page"));
  });

  test("[SPACE-35] are refused without a remote, and where the push is not taken", async () => {
    await using top = await openDesk();
    write(top.remote, { "hooks/pre-receive": "#!/bin/sh\necho not today >&2\nexit 1\n" });
    chmodSync(join(top.remote, "hooks/pre-receive"), 0o755);
    const rejected = await top.spaces.deliver("shop", "prj", REQUEST);
    assert.equal(codeOf(rejected), "delivery.unsafe");
    assert.match(detailOf(rejected), /not today/);
    assert.equal(existsSync(join(top.bin, "made")), false);
    git(top.repository, "remote", "remove", "origin");
    const alone = await top.spaces.deliver("shop", "prj", REQUEST);
    assert.equal(codeOf(alone), "delivery.impossible");
    assert.match(detailOf(alone), /no remote to push to/);
  });
});
