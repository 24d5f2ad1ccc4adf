import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assert as assertProperty,
  constantFrom,
  dictionary,
  jsonValue,
  oneof,
  property,
  string,
} from "fast-check";
import { editJson, type JsonEdit } from "./edit-json.ts";
import { withoutComments } from "./json-text.ts";

const TEXT = `{
    "$schema":   "x",
    "budgets": { "run": {"tokens":1000 } },

    "agents": [
        { "id": "agent_a", "name": "A" },
        { "id": "agent_b",
          "name": "B" }
    ],
    "office": {}
}
`;

const edited = (edit: JsonEdit, text = TEXT): string => editJson(text, edit);

test("[SET-7] a value is replaced where it stands, and nothing else", () => {
  const next = edited({ path: ["budgets", "run", "tokens"], value: 2 });
  assert.equal(next, TEXT.replace("1000", "2"));
  const name = edited({ path: ["agents", 1, "name"], value: "C" });
  assert.equal(name, TEXT.replace('"B"', '"C"'));
});

test("[SET-7] what is new is written as its surroundings are", () => {
  const cost = edited({ path: ["budgets", "run", "cost"], value: 3 });
  assert.equal(cost, TEXT.replace('"tokens":1000 ', '"tokens":1000, "cost": 3 '));
  const host = edited({ path: ["allowedHosts"], value: ["a"] });
  assert.equal(
    host,
    TEXT.replace('"office": {}\n', '"office": {},\n    "allowedHosts": [\n        "a"\n    ]\n'),
  );
  const pace = edited({ path: ["office", "meetingMs"], value: 1 });
  assert.equal(pace, TEXT.replace('"office": {}', '"office": {\n        "meetingMs": 1\n    }'));
  const deep = edited({ path: ["runtimes", "a", "type"], value: "x" }, "{}\n");
  assert.equal(deep, '{\n  "runtimes": {\n    "a": {\n      "type": "x"\n    }\n  }\n}\n');
  assert.equal(edited({ path: ["b"], value: [1] }, '{"a":1}'), '{"a":1, "b": [1]}');
});

test("[SET-7] what is removed takes one comma with it", () => {
  assert.equal(edited({ path: ["office"] }), TEXT.replace(',\n    "office": {}', ""));
  assert.equal(edited({ path: ["$schema"] }), TEXT.replace('"$schema":   "x",\n    ', ""));
  assert.equal(edited({ path: ["budgets", "run", "tokens"] }), TEXT.replace('"tokens":1000 ', ""));
  assert.equal(edited({ path: ["nothing", "here"] }), TEXT);
});

test("[SET-7] line ends and tabs stay as they are", () => {
  const text = '{\r\n\t"a": 1\r\n}\r\n';
  assert.equal(
    edited({ path: ["b"], value: { c: 2 } }, text),
    '{\r\n\t"a": 1,\r\n\t"b": {\r\n\t\t"c": 2\r\n\t}\r\n}\r\n',
  );
});

test("[SET-7] comments stay, where a program allows them", () => {
  const text = `{
  // of the desk
  "theme": "dark", /* a, "b" */ "tabs": 2 // wide
}
`;
  const added = edited({ path: ["hooks"], value: 1 }, text);
  assert.equal(added, text.replace("2 //", '2,\n  "hooks": 1 //'));
  assert.equal(edited({ path: ["hooks"] }, added), text);
  assert.deepEqual(JSON.parse(withoutComments(added)), { theme: "dark", tabs: 2, hooks: 1 });
  const fewer = edited({ path: ["tabs"] }, text);
  assert.match(fewer, /"dark" \/\* a, "b" \*\/\n \/\/ wide/);
  assert.deepEqual(JSON.parse(withoutComments(fewer)), { theme: "dark" });
  const least = edited({ path: ["theme"] }, text);
  assert.match(least, /of the desk\n {2}\/\* a, "b" \*\/\n {2}"tabs": 2 \/\/ wide/);
  const line = '{"a": 1, // one\n"b": "//"}';
  assert.equal(edited({ path: ["b"] }, line), '{"a": 1 // one\n}');
  assert.deepEqual(JSON.parse(withoutComments(line)), { a: 1, b: "//" });
});

test("[SET-7] of two members with one name the last is changed, as it is the one that is read", () => {
  assert.equal(edited({ path: ["a"], value: 3 }, '{"a":1,"a":2}'), '{"a":1,"a":3}');
});

test("[SET-7] whatever the text, setting a member gives what setting it in the object gives", () => {
  const spaces = constantFrom<string | number | undefined>(undefined, 1, 2, "\t");
  const key = oneof(string(), constantFrom("__proto__", "constructor", 'a"b', "\\"));
  assertProperty(
    property(
      dictionary(key, jsonValue()),
      key,
      jsonValue(),
      spaces,
      (object, name, value, space) => {
        const text = JSON.stringify(object, null, space);
        const next: unknown = JSON.parse(editJson(text, { path: [name], value }));
        assert.deepEqual(next, JSON.parse(JSON.stringify({ ...object, [name]: value })));
        const left: unknown = JSON.parse(editJson(text, { path: [name] }));
        const others = Object.entries(object).filter(([each]) => each !== name);
        assert.deepEqual(left, JSON.parse(JSON.stringify(Object.fromEntries(others))));
      },
    ),
  );
});
