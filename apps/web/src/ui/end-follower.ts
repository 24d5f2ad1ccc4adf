/**
 * Whether a box that grows is to show its end: until someone scrolls back. Growing alone moves nobody away from the end,
 * although for a moment more is below than is seen.
 */
export interface Scrolled {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

export class EndFollower {
  readonly #nearPixels: number;
  #isFollowing = true;
  #top = 0;

  /** So near to the end counts as there. */
  constructor(nearPixels: number) {
    this.#nearPixels = nearPixels;
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  onScroll({ scrollTop, scrollHeight, clientHeight }: Scrolled): void {
    const isNear = scrollHeight - scrollTop - clientHeight < this.#nearPixels;
    this.#isFollowing = isNear || (this.#isFollowing && scrollTop >= this.#top);
    this.#top = scrollTop;
  }

  /** Someone asked for the end. */
  resume(): void {
    this.#isFollowing = true;
  }
}
