/**
 * Converts parameters for PostgreSQL. @throws DATABASE_PARAMETER_INVALID. @throws DATABASE_TEXT_INVALID (400)
 * for a NUL character, which PostgreSQL cannot store in text.
 */
export declare function toParameters(parameters: readonly unknown[]): unknown[];
