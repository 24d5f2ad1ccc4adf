/** Which servers will do. */

/** Before it, a crash alone could lose a stream. */
export const OLDEST_SERVER = "2.10.23";
/** From it on, servers lose less when their files are damaged. */
export const ADVISED_SERVER = "2.12.3";

export function isOlder(version: string, other: string): boolean {
  return version.localeCompare(other, "en", { numeric: true }) < 0;
}
