/**
 * Target after login: a path of this origin, with query. Anything that a browser could read as another
 * origin (`//x`, `/\x`, a scheme, control characters) gives the fallback.
 */
export declare function toLocalPath(value: unknown, fallback: string): string;
