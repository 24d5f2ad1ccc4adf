/**
 * Checks values against the wire's schemas; each schema is compiled when it is first needed.
 *
 * TypeBox makes its checks with `new Function` where that is allowed and interprets the schema where
 * a content security policy forbids it, so nothing here depends on eval. (It finds out by trying
 * once, which such a policy may report.)
 */
import { Compile, type Static, type TSchema, type Validator } from "@atrium/schema";

export class SchemaChecks {
  readonly #validators = new Map<TSchema, Validator>();

  is<Schema extends TSchema>(schema: Schema, value: unknown): value is Static<Schema> {
    return this.#validator(schema).Check(value);
  }

  /** The first thing wrong with the value: where, and what. */
  issue(schema: TSchema, value: unknown): string {
    const [first] = this.#validator(schema).Errors(value);
    if (first === undefined) return "does not match its schema";
    return `at ${first.instancePath === "" ? "root" : first.instancePath}: ${first.message}`;
  }

  #validator(schema: TSchema): Validator {
    const known = this.#validators.get(schema);
    if (known !== undefined) return known;
    const validator: Validator = Compile(schema);
    this.#validators.set(schema, validator);
    return validator;
  }
}
