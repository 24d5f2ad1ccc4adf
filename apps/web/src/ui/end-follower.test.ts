import assert from "node:assert/strict";
import { test } from "node:test";
import { EndFollower } from "./end-follower.ts";

test("[WEB-31] a box that grows is followed until someone scrolls back, and again from its end", () => {
  const follower = new EndFollower(24);
  const scrollTo = (scrollTop: number, scrollHeight: number): boolean => {
    follower.onScroll({ scrollTop, scrollHeight, clientHeight: 100 });
    return follower.isFollowing;
  };
  assert.equal(scrollTo(100, 200), true);
  assert.equal(scrollTo(100, 500), true, "it has grown since");
  assert.equal(scrollTo(250, 500), true, "on the way to the end");
  assert.equal(scrollTo(200, 500), false);
  assert.equal(scrollTo(300, 500), false, "further down, but not at the end");
  assert.equal(scrollTo(390, 500), true);
  assert.equal(scrollTo(0, 500), false);
  follower.resume();
  assert.equal(follower.isFollowing, true);
});
