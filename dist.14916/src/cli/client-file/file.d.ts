import type { Json } from '../../model/value-schema.ts';
/**
 * A client of an API as one TypeScript file, from its OpenAPI document. The same document gives the same bytes.
 *
 * @param baseUrl URL of the API; undefined leaves it to the user of the client.
 */
export declare function printClientFile(document: Json, baseUrl: string | undefined): string;
