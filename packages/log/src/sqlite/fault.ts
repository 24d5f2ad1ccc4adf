/** What SQLite and the file system complain of, as a fault that names the file and says what to do. */
import { LogFault, type LogFaultCode } from "../log.ts";

interface Diagnosis {
  readonly code: LogFaultCode;
  readonly advice: string;
}

const LOCKED = diagnosis("locked", "another program is using it; close that one and try again");
const UNREADABLE = diagnosis(
  "unreadable",
  "it must be a file that this user may read and write, in a folder where it may too",
);
const CORRUPT = diagnosis("corrupt", "the file is damaged; move it away and restore a copy");
const FULL = diagnosis("full", "no room is left; make some, then start again");
const FOREIGN = diagnosis("foreign", "it is not a log; give the log a file of its own");
const FAILED = diagnosis(
  "failed",
  "what was acknowledged is in the file; look at the disk, then start again",
);

/** By primary result code, https://www.sqlite.org/rescode.html */
const BY_RESULT = new Map<number, Diagnosis>([
  [3, UNREADABLE], // PERM
  [5, LOCKED], // BUSY
  [6, LOCKED], // LOCKED
  [8, UNREADABLE], // READONLY
  [11, CORRUPT], // CORRUPT
  [13, FULL], // FULL
  [14, UNREADABLE], // CANTOPEN
  [26, FOREIGN], // NOTADB
]);

const BY_ERRNO = new Map<string, Diagnosis>([
  ["EACCES", UNREADABLE],
  ["EPERM", UNREADABLE],
  ["EROFS", UNREADABLE],
  ["ENOENT", UNREADABLE],
  ["ENOTDIR", UNREADABLE],
  ["EEXIST", UNREADABLE],
  ["EISDIR", UNREADABLE],
  ["ELOOP", UNREADABLE],
  ["ENAMETOOLONG", UNREADABLE],
  ["ENOSPC", FULL],
  ["EDQUOT", FULL],
]);

export function faultOf(error: unknown, file: string): LogFault {
  if (error instanceof LogFault) return error;
  const { code, advice } = diagnose(error);
  const complaint = error instanceof Error ? error.message : String(error);
  return new LogFault(code, `${file}: ${complaint}: ${advice}`, error);
}

function diagnose(error: unknown): Diagnosis {
  if (typeof error !== "object" || error === null) return FAILED;
  if ("errcode" in error && typeof error.errcode === "number") {
    return BY_RESULT.get(error.errcode & 0xff) ?? FAILED;
  }
  if ("code" in error && typeof error.code === "string") return BY_ERRNO.get(error.code) ?? FAILED;
  return FAILED;
}

function diagnosis(code: LogFaultCode, advice: string): Diagnosis {
  return { code, advice };
}
