/** Parameters that group rows. A request may use them only if its call allows it. */
export declare const AGGREGATE_PARAMETERS: readonly string[];
/** Unknown parameters of a search, with the remedy. Names in `allowed` are accepted. */
export declare function findUnknownNames(input: Readonly<Record<string, unknown>>, allowed: ReadonlySet<string>): Readonly<Record<string, string>>;
