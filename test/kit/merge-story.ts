/**
 * A project of four tasks in a person's repository: two at once that change the same line, so that the second
 * conflicts with the first, and two that come after them. Everyone is a shell script, so that the story can be cut off
 * anywhere and goes on.
 */
import { contentsOf, type ShopSettings } from "./workshop.ts";

/** What each task makes of the shop; a conflict is solved by keeping both. */
const WORKER = `cat > /dev/null
if grep -q '<<<<<<<' src/price.ts; then
  printf 'export const price = 30;\\n' > src/price.ts; echo "Kept both."; exit
fi
case "$ATRIUM_TASK_ID" in
  *_1) printf 'export const price = 10;\\n' > src/price.ts ;;
  *_2) printf 'export const price = 20;\\n' > src/price.ts ;;
  *_3) cp src/price.ts after-one.txt ;;
  *_4) ls after-one.txt > after-all.txt; mkdir -p docs; echo guide > docs/guide.md ;;
esac
echo "Made."`;

const task = (title: string, after: readonly number[] = []): object => {
  return { title, description: `${title}.`, after, accept: ["It is there."] };
};

export const MERGE_STORY: ShopSettings = {
  runtimes: { worker: { type: "command", command: ["/bin/sh", "-c", WORKER] } },
  agents: [
    { id: "agent_eng_1", runtime: "worker" },
    { id: "agent_eng_2", runtime: "worker" },
  ],
  tasks: [
    task("Price is ten"),
    task("Price is twenty"),
    task("Note after one", [1]),
    task("All together", [2, 3]),
  ],
  checks: [
    { name: "merged", command: ["/bin/sh", "-c", "! grep -rq '<<<<<<<' src"], required: true },
  ],
};

/** Everything in a repository but the branch that was delivered to it, and what that brought. */
export function withoutDelivery(repository: string): ReadonlyMap<string, string> {
  const brought = /^\/\.git\/(?:(?:logs\/)?refs\/heads\/atrium|objects|FETCH_HEAD)/;
  return new Map([...contentsOf(repository)].filter(([path]) => !brought.test(path)));
}
