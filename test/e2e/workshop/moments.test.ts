/** The files of every moment over HTTP, of a task that a model works on in a real worktree. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { skipWithoutSandbox } from "../../../apps/server/src/confinement/testing/sandbox.ts";
import { skipWithout } from "../../../scripts/system-programs.ts";
import { openTestAtrium } from "../../kit/atrium.ts";
import {
  calling,
  get,
  openModelShop,
  post,
  returnsOf,
  write,
  type Answer,
} from "../../kit/moments.ts";
import { git, openShop } from "../../kit/workshop.ts";

const skip = skipWithout("git");

test(
  "[FILES-1] folders, files and differences are read at any position, as they were then",
  { skip },
  async () => {
    await using model = await calling([
      write("src/a.txt", "one\n"),
      write("src/b.txt", "two\n"),
      ["read", { path: "README.md" }],
      write("README.md", "# Ours\n"),
    ]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    const projectId = `proj_${taskId.split("_")[1]}`;
    await shop.peer.event("review_requested");
    const [first = 0, second = 0, , third = 0] = await returnsOf(shop);
    assert.ok(first > 0 && second > first && third > second);
    const of = `/api/projects/${projectId}`;
    const names = async (query: string): Promise<readonly string[]> => {
      const { json } = await get(shop, `${of}/files?${query}`);
      return json.entries.map(
        ({ name, type, bytes }: Record<string, string>) => `${name} ${type} ${bytes}`,
      );
    };
    assert.deepEqual(await names(""), [
      ".gitignore file 9",
      "README.md file 7",
      "src folder undefined",
    ]);
    assert.deepEqual(await names("path=src/"), [
      "a.txt file 4",
      "b.txt file 4",
      "price.ts file 24",
    ]);
    assert.deepEqual(await names(`path=src&seq=${first}`), ["a.txt file 4", "price.ts file 24"]);
    assert.deepEqual(await names(`path=src&seq=${second - 1}`), [
      "a.txt file 4",
      "price.ts file 24",
    ]);
    assert.deepEqual(await names(`path=src&seq=${first - 1}`), ["price.ts file 24"]);
    const listed = await get(shop, `${of}/files?seq=${second}`);
    assert.equal(listed.json.workspace, taskId);
    assert.equal(listed.json.seq, second);

    assert.equal((await get(shop, `${of}/file?path=README.md`)).text, "# Ours\n");
    assert.equal((await get(shop, `${of}/file?path=README.md&seq=${second}`)).text, "# Shop\n");
    assert.equal((await get(shop, `${of}/file?path=README.md&task=${taskId}`)).text, "# Ours\n");

    const changes = async (query: string): Promise<unknown> => {
      const { json } = await get(shop, `${of}/diff?${query}`);
      return json.files.map(({ path, how, added, removed }: Record<string, unknown>) => [
        path,
        how,
        added,
        removed,
      ]);
    };
    assert.deepEqual(await changes(`from=${first}&to=${third}`), [
      ["README.md", "changed", 1, 1],
      ["src/b.txt", "added", 1, 0],
    ]);
    assert.deepEqual(await changes(`from=${third}&to=${second}`), [["README.md", "changed", 1, 1]]);
    const all = [
      ["README.md", "changed", 1, 1],
      ["src/a.txt", "added", 1, 0],
      ["src/b.txt", "added", 1, 0],
    ];
    assert.deepEqual(await changes(""), all);
    assert.deepEqual(await changes("from=0"), all);
    const patch = await get(shop, `${of}/diff?path=README.md`);
    assert.match(patch.json.patch, /-# Shop\n\+# Ours\n/);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[FILES-2] what is not there is refused by name, and a path leads nowhere but into the moment",
  { skip },
  async () => {
    await using model = await calling([write("src/a.txt", "one\n")]);
    await using shop = await openModelShop(model);
    await writeFile(join(shop.repository, "large.txt"), "x".repeat(10 * 1024 * 1024 + 1));
    git(shop.repository, "add", "large.txt");
    git(shop.repository, "commit", "--quiet", "-m", "Large");
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    const of = `/api/projects/proj_${taskId.split("_")[1]}`;
    const table: readonly (readonly [path: string, status: number, says: RegExp])[] = [
      ["/api/projects/proj_nobody/files", 404, /proj_nobody/],
      ["/api/projects/__proto__/files", 404, /__proto__/],
      ["/api/builds/nobody/files?seq=1", 404, /nobody/],
      ["/api/builds/__proto__/file?path=a", 404, /__proto__/],
      [`${of}/files?task=task_other_1`, 404, /task_other_1 is no task/],
      [`${of}/files?seq=1`, 404, /nothing was worked on/],
      [`${of}/files?seq=999999`, 400, /seq 999999 is after the newest entry/],
      [`${of}/diff?to=999999`, 400, /seq 999999 is after the newest entry/],
      [`${of}/diff?from=999999`, 400, /seq 999999 is after the newest entry/],
      [`${of}/files?seq=-1`, 400, /seq must be a position/],
      [`${of}/files?seq=1e3`, 400, /seq must be a position/],
      [`${of}/files?seq=`, 400, /seq must be a position/],
      [`${of}/files?sq=1`, 400, /Unknown query parameter sq/],
      [`${of}/file`, 400, /name the file/],
      [`${of}/file?path=src`, 404, /src is no file/],
      [`${of}/files?path=README.md`, 404, /README.md is no folder/],
      [`${of}/file?path=../../../../etc/passwd`, 404, /No file/],
      [`${of}/file?path=src/../README.md`, 404, /No file/],
      [`${of}/file?path=/etc/passwd`, 404, /No file/],
      [`${of}/file?path=.git/config`, 404, /No file/],
      [`${of}/file?path=README.md%00`, 404, /No file/],
      [`${of}/file?path=a%0Ab`, 404, /No file/],
      [`${of}/file?path=%FF%FE`, 404, /No file/],
      [`${of}/file?path=HEAD:README.md`, 404, /No file/],
      [`${of}/file?path=--help`, 404, /No file/],
      [`${of}/file?path=${"x".repeat(7_000)}`, 404, /No file/],
      [`${of}/file?path=large.txt`, 413, /large.txt has 10485761 bytes, 10485760 at most/],
      [`${of}/diff?path=src/price.ts`, 404, /does not differ/],
      [`${of}/diff?path=--stat`, 404, /does not differ/],
    ];
    for (const [path, status, says] of table) {
      const answer = await get(shop, path);
      assert.equal(answer.status, status, `${path}: ${answer.text}`);
      assert.match(answer.json.error.message, says, path);
    }
    const unknown = await fetch(new URL(`${of}/files`, shop.atrium.url));
    assert.equal(unknown.status, 401);
    assert.deepEqual(shop.atrium.faults, []);
  },
);

const HOSTILE = [
  "printf '<script>alert(1)</script>' > page.html",
  "printf '\\000\\377bytes' > bytes.bin",
  "printf 'a' > \"$(printf 'line\\nbreak')\"",
  "printf 'b' > \"$(printf 'no\\377text')\"",
  "ln -s /etc/passwd link",
  "head -c 11000000 /dev/zero | tr '\\0' 'x' > large.txt",
  "printf '%s' 'quote\"' > 'quote\"; filename=evil.html'",
  "echo done",
].join(" && ");

test(
  "[FILES-2] [FILES-3] files of all kinds are handed out so that no browser runs them",
  { skip: skip || skipWithoutSandbox() },
  async () => {
    await using shop = await openShop({
      runtimes: { program: { type: "command", command: ["sh", "-c", HOSTILE] } },
      agents: [{ id: "agent_eng_1", runtime: "program" }],
    });
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    const of = `/api/projects/proj_${taskId.split("_")[1]}`;
    const { json } = await get(shop, `${of}/files`);
    const names = json.entries.map(({ name }: { name: string }) => name);
    for (const name of ["line\nbreak", "page.html", "link"]) assert.ok(names.includes(name), name);
    const read = (name: string, headers = {}): Promise<Answer> =>
      get(shop, `${of}/file?path=${encodeURIComponent(name)}`, headers);

    const page = await read("page.html");
    assert.equal(page.text, "<script>alert(1)</script>");
    assert.equal(page.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.equal(page.headers.get("x-content-type-options"), "nosniff");
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'none'; sandbox/);
    const bytes = await read("bytes.bin");
    assert.equal(bytes.headers.get("content-type"), "application/octet-stream");
    assert.match(bytes.headers.get("content-disposition") ?? "", /^attachment/);
    assert.equal((await read("line\nbreak")).text, "a");
    const odd = names.find((name: string) => name.startsWith("no"));
    assert.equal((await read(odd)).text, "b");
    assert.equal((await read("link")).text, "/etc/passwd");
    const quoted = await read('quote"; filename=evil.html');
    assert.equal(
      quoted.headers.get("content-disposition"),
      "inline; filename*=UTF-8''quote%22%3B%20filename%3Devil.html",
    );

    const tag = page.headers.get("etag") ?? "";
    const again = await read("page.html", { "if-none-match": tag });
    assert.deepEqual([again.status, again.text], [304, ""]);
    for (const path of ["files", "diff", "diff?path=page.html"]) {
      const listed = await get(shop, `${of}/${path}`);
      const known = await get(shop, `${of}/${path}`, {
        "if-none-match": listed.headers.get("etag") ?? "",
      });
      assert.deepEqual([listed.status, known.status, known.text], [200, 304, ""], path);
    }
    assert.deepEqual(shop.atrium.faults, []);
  },
);

test(
  "[FILES-2] without git the files of the past are refused with the reason, and the server goes on",
  { skip },
  async () => {
    await using model = await calling([write("a.txt", "one\n")]);
    await using shop = await openModelShop(model);
    const [taskId = ""] = await shop.request("Make it", "shop");
    await shop.peer.event("review_requested");
    await shop.atrium.close();
    await using without = await openTestAtrium({
      home: shop.home,
      args: ["--log", "sqlite"],
      env: { PATH: join(shop.home, "nothing") },
    });
    const of = `/api/projects/proj_${taskId.split("_")[1]}`;
    for (const path of ["files", "file?path=a.txt", "diff", "diff?path=a.txt"]) {
      const answer = await get({ atrium: without }, `${of}/${path}`);
      assert.equal(answer.status, 503, answer.text);
      assert.match(answer.json.error.message, /[Gg]it/, path);
    }
    const restored = await post({ atrium: without }, `/api/workspaces/${taskId}/restore`, {
      seq: 40,
    });
    assert.match(restored.json.error.code, /git\.|params/, restored.text);
    assert.equal((await get({ atrium: without }, "/api/office")).status, 200);
    assert.deepEqual(without.faults, []);
  },
);
