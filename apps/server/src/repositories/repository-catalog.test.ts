import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answerer } from "@atrium/core";
import { createRepositoryCatalog } from "./repository-catalog.ts";

const by: Answerer = { id: "a", name: "Ann", via: "gateway" };

test("[REPO-8] where the settings have an id that was added before, they win", () => {
  const rows = ["shop", "constructor"].map((id) => ({ id, path: `/added/${id}`, by, addedAt: 7 }));
  const settings = [{ id: "shop", path: "/settings/shop" }];
  const catalog = createRepositoryCatalog(settings, { list: () => rows });
  assert.deepEqual(catalog.find("shop"), { id: "shop", path: "/settings/shop", added: null });
  assert.deepEqual(
    catalog.list().map(({ path }) => path),
    ["/settings/shop", "/added/constructor"],
  );
  assert.deepEqual(catalog.find("constructor")?.added, { by, at: 7 });
  for (const id of ["__proto__", "toString", "Shop", ""]) assert.equal(catalog.find(id), undefined);
});
