/** The two readers of a schema document: AJV for the exported text, TypeBox for the declarations. */
import { Compile, type TSchema } from "@atrium/schema";
import { Ajv, type ValidateFunction } from "ajv";
import { namedSchemas } from "../document.ts";
import type { SchemaNode } from "../draft07.ts";

export type Verdict = (value: unknown) => boolean;

interface SchemaDocument {
  readonly $id: string;
  readonly definitions: Readonly<Record<string, SchemaNode>>;
}

/** Keywords of the document that say something to a reader and nothing to a validator. */
const ANNOTATIONS = ["discriminator", "methods", "events", "x-protocol"];

export function openAjv(document: SchemaDocument): Ajv {
  const ajv = new Ajv({
    strict: true,
    strictTypes: true,
    strictRequired: true,
    strictTuples: true,
  });
  ajv.addVocabulary(ANNOTATIONS);
  return ajv.addSchema(document);
}

export function definitionValidator(ajv: Ajv, id: string, name: string): ValidateFunction {
  const validate = ajv.getSchema(`${id}#/definitions/${name}`);
  if (validate === undefined) throw new Error(`no definition ${name}`);
  return validate;
}

export function resolverOf(document: SchemaDocument): (ref: string) => SchemaNode {
  return (ref) => {
    const node = document.definitions[ref.replace("#/definitions/", "")];
    if (node === undefined) throw new Error(`no definition ${ref}`);
    return node;
  };
}

/** What the server itself runs, under the exported names. */
export function declaredValidators(): ReadonlyMap<string, Verdict> {
  return new Map(
    [...namedSchemas()].map(([name, schema]) => {
      const validator = Compile(schema as TSchema);
      return [name, (value: unknown) => validator.Check(value)];
    }),
  );
}
