import type { Json } from '../../model/value-schema.ts';
/** Prefix of the component names of required headers. */
export declare const NEEDED = "Needed-";
/** Header components: each as optional, and as required. */
export declare const HEADERS: Readonly<Record<string, Json>>;
/** Headers of requests, as parameter components. */
export declare const HEADER_PARAMETERS: Readonly<Record<string, Json>>;
