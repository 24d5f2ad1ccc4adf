/**
 * Lint: what must hold in code. Who may import whom is in scripts/lint/walls.ts, our own rules in
 * scripts/lint/plugin.ts. A rule is an error or it is off; nothing here warns.
 */
import { defineConfig } from "oxlint";

const SOURCE = ["packages/*/src/**", "apps/*/src/**"];
const TESTS = ["**/*.test.ts", "**/*.contract.ts", "**/testing/**", "test/**"];

const UNTYPED = {
  "typescript/no-unsafe-argument": "off",
  "typescript/no-unsafe-assignment": "off",
  "typescript/no-unsafe-call": "off",
  "typescript/no-unsafe-member-access": "off",
  "typescript/no-unsafe-return": "off",
} as const;

export default defineConfig({
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise", "node"],
  jsPlugins: ["./scripts/lint/plugin.ts"],
  ignorePatterns: ["**/*.gen.ts", "**/dist/**", "**/fixtures/**"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  categories: { correctness: "error", suspicious: "error" },
  rules: {
    // The shape of the tree.
    "atrium/walls": "error",
    "atrium/no-vague-file-name": "error",
    "atrium/disable-reason": "error",
    "import/no-cycle": "error",
    "import/no-default-export": "error",
    "import/no-mutable-exports": "error",
    "unicorn/filename-case": ["error", { case: "kebabCase" }],

    // Size: ceilings for accidents, not targets.
    "max-lines": ["error", { max: 500, skipBlankLines: true, skipComments: true }],
    "max-lines-per-function": ["error", { max: 80, skipBlankLines: true, skipComments: true }],
    "max-params": ["error", { max: 5 }],

    // Nothing gets lost: promises, errors, cases.
    "typescript/no-floating-promises": [
      "error",
      {
        allowForKnownSafeCalls: [
          { from: "package", package: "node:test", name: ["describe", "it", "suite", "test"] },
        ],
      },
    ],
    "typescript/no-misused-promises": "error",
    "typescript/only-throw-error": "error",
    "typescript/prefer-promise-reject-errors": "error",
    "typescript/return-await": "error",
    "typescript/switch-exhaustiveness-check": [
      "error",
      { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: false },
    ],
    "typescript/use-unknown-in-catch-callback-variable": "error",

    // Types say what they mean.
    "typescript/ban-ts-comment": "error",
    "typescript/explicit-module-boundary-types": "error",
    "typescript/no-deprecated": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-unsafe-argument": "error",
    "typescript/no-unsafe-assignment": "error",
    "typescript/no-unsafe-call": "error",
    "typescript/no-unsafe-member-access": "error",
    "typescript/no-unsafe-return": "error",
    "typescript/prefer-nullish-coalescing": "error",
    "typescript/prefer-readonly": "error",

    // Habits.
    curly: ["error", "multi-line"],
    eqeqeq: "error",
    "no-console": "error",
    "no-restricted-imports": [
      "error",
      { paths: [{ name: "node:process", message: "process is a global; its env is for main.ts" }] },
    ],
    "no-var": "error",
    "no-warning-comments": "error",
    "object-shorthand": "error",
    "prefer-const": "error",
    "unicorn/no-abusive-eslint-disable": "error",
    "unicorn/prefer-node-protocol": "error",

    // TypeScript knows that an exhaustive switch returns; this rule does not.
    "typescript/consistent-return": "off",
    // Peers name their fields as they like, and an unused name starts with an underscore.
    "no-underscore-dangle": "off",
    // Made for Express; an async handler is right elsewhere.
    "oxc/no-async-endpoint-handlers": "off",
  },
  overrides: [
    {
      files: SOURCE,
      excludeFiles: TESTS,
      rules: {
        "atrium/no-bare-error": "error",
        "atrium/no-module-let": "error",
        "atrium/no-name-lookup": "error",
      },
    },
    {
      files: SOURCE,
      excludeFiles: ["apps/server/src/workspaces/**"],
      rules: { "atrium/no-git": "error" },
    },
    {
      files: SOURCE,
      excludeFiles: [...TESTS, "apps/*/src/main.ts"],
      rules: { "node/no-process-env": "error" },
    },
    {
      files: TESTS,
      rules: {
        "max-lines": ["error", { max: 800, skipBlankLines: true, skipComments: true }],
        "max-lines-per-function": "off",
        "unicorn/consistent-function-scoping": "off",
        // What a peer sent is looked into as it came.
        "typescript/no-non-null-assertion": "off",
        ...UNTYPED,
        "typescript/no-unsafe-type-assertion": "off",
      },
    },
    {
      // Plain JavaScript has no types to be safe about.
      files: ["**/*.mjs"],
      rules: {
        "typescript/explicit-module-boundary-types": "off",
        ...UNTYPED,
        "typescript/restrict-template-expressions": "off",
      },
    },
    { files: ["scripts/**", "bench/**", "examples/**"], rules: { "no-console": "off" } },
    // Examples are what a reader would type.
    { files: ["examples/**"], rules: { "typescript/no-base-to-string": "off" } },
    {
      files: ["*.config.ts", "scripts/lint/plugin.ts"],
      rules: { "import/no-default-export": "off" },
    },
  ],
});
