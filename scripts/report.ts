/** How a check ends: one line that says what was looked at, then the problems, if any. */
export function report(looked: string, problems: readonly string[]): void {
  process.stdout.write(`${looked}, ${problems.length} problems\n`);
  for (const problem of problems) process.stderr.write(`  ${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
