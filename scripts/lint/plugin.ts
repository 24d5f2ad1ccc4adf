/**
 * The lint rules that are ours: what the house style asks for and no stock rule can say.
 *
 * oxlint loads this file as a JS plugin, hence the default export. Where each rule applies is in
 * oxlint.config.ts; scripts/check-walls.ts proves that each still bites.
 */
import { basename, join, relative, sep } from "node:path";
import type { RuleTester } from "oxlint/plugins-dev";
import { createFindLookups, type FindLookups } from "./name-lookup.ts";
import { brokenWall } from "./walls.ts";

type Rule = Parameters<RuleTester["run"]>[1];

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly range: [number, number];
}

const root = join(import.meta.dirname, "../..");

const walls: Rule = {
  create(context) {
    const file = relative(root, context.filename).replaceAll(sep, "/");
    const check = (source: (Node & { readonly value?: unknown }) | null): void => {
      if (source === null || typeof source.value !== "string") return;
      const wall = brokenWall(file, source.value);
      if (wall === undefined) return;
      context.report({ node: source, message: `${wall.because} (scripts/lint/walls.ts)` });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      TSImportType: (node) => check(node.source),
    };
  },
};

const noBareError: Rule = {
  create(context) {
    const check = (callee: Node & { readonly name?: unknown }): void => {
      if (callee.type !== "Identifier" || typeof callee.name !== "string") return;
      if (!/^(?:Type|Range)?Error$/.test(callee.name)) return;
      context.report({
        node: callee,
        message: "return a refusal, or throw a Fault that says what was known",
      });
    };
    return {
      NewExpression: (node) => check(node.callee),
      CallExpression: (node) => check(node.callee),
    };
  },
};

const noModuleLet: Rule = {
  create(context) {
    return {
      Program(program) {
        for (const statement of program.body) {
          const declaration =
            statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
          if (declaration?.type !== "VariableDeclaration" || declaration.kind !== "let") continue;
          context.report({
            node: declaration,
            message: "state belongs to an instance, not a module",
          });
        }
      },
    };
  },
};

const VAGUE_NAME = /^(?:.*-)?(?:utils?|helpers?|common|misc|types|manager|service|impl|base)\./;

const noVagueFileName: Rule = {
  create(context) {
    return {
      Program(program) {
        if (!VAGUE_NAME.test(basename(context.filename))) return;
        context.report({ node: program, message: "name the file after the one thing it exports" });
      },
    };
  },
};

const disableReason: Rule = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (!/^\s*(?:oxlint|eslint)-disable/.test(comment.value)) continue;
          if (/ -- \S/.test(comment.value)) continue;
          context.report({ node: comment, message: "say why: `oxlint-disable-… rule -- reason`" });
        }
      },
    };
  },
};

/** TypeScript takes a second to start, so it is started by the first file that is asked about. */
const finders = new Map<string, FindLookups>();

const noNameLookup: Rule = {
  create(context) {
    return {
      Program(program) {
        const find = finders.getOrInsertComputed(root, () => createFindLookups(root, ["apps/web"]));
        const lookups = find(context.filename);
        if (lookups === undefined) {
          const message = "no tsconfig.json includes this file, so nobody knows its types";
          context.report({ node: program.body.at(-1) ?? program, message });
          return;
        }
        for (const { range, message } of lookups) {
          const [start, end] = range;
          const loc = {
            start: context.sourceCode.getLocFromIndex(start),
            end: context.sourceCode.getLocFromIndex(end),
          };
          context.report({ loc, message });
        }
      },
    };
  },
};

const GIT = /^(?:.*[\\/])?git(?:\.exe)?(?:\s|$)/;
const STARTS_PROGRAMS = /^(?:node:)?child_process$|node-pty$/;
const NAMES_PROGRAM = /^(?:argv|command|file|program|shell)$/;

/** Where programs are started, the word is enough; elsewhere it has to stand where a program is named. */
const noGit: Rule = {
  create(context) {
    let startsPrograms = false;
    const words: Node[] = [];
    const isGit = (node: (Node & { readonly value?: unknown }) | null | undefined): boolean =>
      node?.type === "Literal" && typeof node.value === "string" && GIT.test(node.value);
    const refuse = (node: Node): void =>
      context.report({ node, message: "only apps/server/src/workspaces runs git" });
    const note = (source: Node & { readonly value?: unknown }): void => {
      if (typeof source.value === "string") startsPrograms ||= STARTS_PROGRAMS.test(source.value);
    };
    return {
      ImportDeclaration: (node) => note(node.source),
      ImportExpression: (node) => note(node.source),
      Literal(node) {
        if (isGit(node)) words.push(node);
      },
      TemplateElement(node) {
        if (GIT.test(node.value.raw)) words.push(node);
      },
      ArrayExpression(node) {
        const [first] = node.elements;
        if (first !== undefined && isGit(first)) refuse(node);
      },
      Property(node) {
        const { key, value } = node;
        if (key.type === "Identifier" && NAMES_PROGRAM.test(key.name) && isGit(value)) refuse(node);
      },
      "Program:exit"() {
        if (startsPrograms) for (const word of words) refuse(word);
      },
    };
  },
};

export default {
  meta: { name: "atrium" },
  rules: {
    walls,
    "no-bare-error": noBareError,
    "no-module-let": noModuleLet,
    "no-vague-file-name": noVagueFileName,
    "disable-reason": disableReason,
    "no-name-lookup": noNameLookup,
    "no-git": noGit,
  } satisfies Record<string, Rule>,
};
