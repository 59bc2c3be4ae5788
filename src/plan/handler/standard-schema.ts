/** What a {@link StandardSchema} says of a value. */
export interface StandardResult<Output> {
  /** The value as the shape gives it. Absent if it is not valid. */
  readonly value?: Output;
  /** What is wrong. Absent if the value is valid. */
  readonly issues?: readonly StandardIssue[] | undefined;
}

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** For people. */
  readonly message: string;
  /** Keys from the outside to the inside. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A shape of any library that has the common interface, such as zod, valibot and arktype. @see https://standardschema.dev */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The part that all libraries have in common. */
  readonly '~standard': {
    /** Version of the interface. */
    readonly version: 1;
    /** Name of the library. */
    readonly vendor: string;
    /** Checks a value, and converts it. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** For the compiler alone. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type TypesOf<Shape> = Shape extends { readonly '~standard': { readonly types?: infer T } } ? NonNullable<T> : never;

/** What a shape takes; unknown for JSON Schema. */
export type InputOf<Shape> = [TypesOf<Shape>] extends [never]
  ? unknown
  : TypesOf<Shape> extends { readonly input: infer I }
    ? I
    : unknown;

/** What a shape gives; any keys for JSON Schema. */
export type OutputOf<Shape> = [TypesOf<Shape>] extends [never]
  ? Readonly<Record<string, unknown>>
  : TypesOf<Shape> extends { readonly output: infer O }
    ? O
    : Readonly<Record<string, unknown>>;
