import assert from "node:assert/strict";
import { test } from "node:test";
import { coversOf } from "../../pages/office/view/covers.ts";
import { freePart } from "./free-part.ts";

const SIZE = { width: 1000, height: 700 };
const WHOLE = { left: 0, top: 0, right: 1000, bottom: 700 };

test("[WEB-13] a tall card or panel takes its side away, a small one in a corner does not", () => {
  const card = { left: 0, top: 200, right: 320, bottom: 700 };
  const panel = { left: 560, top: 0, right: 1000, bottom: 700 };
  assert.deepEqual(freePart(SIZE, []), WHOLE);
  assert.deepEqual(freePart(SIZE, [card]), { ...WHOLE, left: 320 });
  assert.deepEqual(freePart(SIZE, [{ ...panel, left: 700 }, card]), {
    ...WHOLE,
    left: 320,
    right: 700,
  });
  assert.deepEqual(freePart(SIZE, [{ ...card, top: 560 }]), WHOLE);
  assert.deepEqual(freePart(SIZE, [{ left: 0, top: 600, right: 1000, bottom: 700 }]), {
    ...WHOLE,
    bottom: 600,
  });
});

test("[WEB-13] a room is not squeezed into a slit: where too little is left, nothing counts as covered", () => {
  const panel = { left: 120, top: 0, right: 1000, bottom: 700 };
  assert.deepEqual(freePart(SIZE, [{ ...panel, left: 290 }]), WHOLE);
  assert.deepEqual(freePart(SIZE, [{ ...panel, left: 310, bottom: 690 }]), {
    ...WHOLE,
    right: 310,
  });
  assert.deepEqual(freePart(SIZE, [panel]), WHOLE);
});

test("[WEB-13] what stands beside the stage does not cover it", () => {
  const stage = { left: 0, top: 56, right: 1010, bottom: 840 };
  const beside = { left: 1010, top: 56, right: 1440, bottom: 840 };
  const over = { left: 0, top: 300, right: 320, bottom: 900 };
  assert.deepEqual(coversOf(stage, [beside, over]), [
    { left: 0, top: 244, right: 320, bottom: 784 },
  ]);
});
