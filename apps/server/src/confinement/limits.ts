/** What one command may use, with everything it starts. */

const KILOBYTE = 1024;
const MEGABYTE = KILOBYTE * KILOBYTE;
const GIGABYTE = KILOBYTE * MEGABYTE;
const SECOND_MS = 1_000;

const MAX_TIMEOUT_MS = 30 * 60 * SECOND_MS;
const MIN_TIMEOUT_MS = 100;

export interface CommandLimits {
  readonly timeoutMs: number;
  /** Resident, of the whole tree. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Of one file. */
  readonly fileBytes: number;
  /** Of the temporary folder, which is memory. */
  readonly scratchBytes: number;
}

const DEFAULT_LIMITS: CommandLimits = {
  timeoutMs: 120 * SECOND_MS,
  memoryBytes: 4 * GIGABYTE,
  processes: 512,
  fileBytes: 2 * GIGABYTE,
  scratchBytes: GIGABYTE,
};

const SHELL = "/bin/sh";
/** In which a shell counts the size of a file. */
const SHELL_BLOCK_BYTES = 512;
const OPEN_FILES = 4096;
/** The kernel counts threads where we count processes. */
const THREADS_PER_PROCESS = 4;

/** The usual limits but for those that are named; no time is shorter or longer than is sensible. */
export function limitsWith(wanted: Partial<CommandLimits> = {}): CommandLimits {
  const limits = { ...DEFAULT_LIMITS, ...wanted };
  const timeoutMs = Math.min(MAX_TIMEOUT_MS, Math.max(MIN_TIMEOUT_MS, limits.timeoutMs));
  return { ...limits, timeoutMs };
}

/**
 * The command after a shell has set the kernel's limits for it. A command that is a shell script gets them
 * as its first words: a program more to start would be most of what a sandbox costs.
 */
export function limitedCommand(
  argv: readonly string[],
  limits: CommandLimits,
  kernel: string,
): readonly string[] {
  const [program, option, script, ...rest] = argv;
  const first = shellLimits(limits, kernel);
  if (program === SHELL && option === "-c" && script !== undefined) {
    return [SHELL, "-c", `${first} ${script}`, ...rest];
  }
  return [SHELL, "-c", `${first} exec "$@"`, SHELL, ...argv];
}

/**
 * Set inside the sandbox, where since Linux 5.14 only the sandbox's own processes count; before that,
 * everything else of the same user would, so the kernel is left out of it. Shells differ in how they call
 * the number of processes.
 */
function shellLimits(limits: CommandLimits, kernel: string): string {
  const most = limits.processes * THREADS_PER_PROCESS;
  const processes = `{ ulimit -p ${most} 2> /dev/null || ulimit -u ${most}; }`;
  const steps = [
    "ulimit -c 0",
    `ulimit -n ${OPEN_FILES}`,
    `ulimit -f ${Math.ceil(limits.fileBytes / SHELL_BLOCK_BYTES)}`,
    ...(countsPerNamespace(kernel) ? [processes] : []),
  ];
  return `${steps.join(" && ")} || exit 126;`;
}

function countsPerNamespace(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map((part) => Number.parseInt(part, 10));
  return major > 5 || (major === 5 && minor >= 14);
}
