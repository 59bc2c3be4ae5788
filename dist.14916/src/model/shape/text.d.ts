import * as z from 'zod';
/** Names of schemas, fields, fieldsets and relations, and of definition files. */
export declare const NAME_PATTERN: RegExp;
/** Maximum length of a name, since PostgreSQL cuts identifiers at 63 bytes. */
export declare const NAME_LENGTH = 63;
export declare const toName: (description: string) => z.ZodString;
/**
 * One former name, or several with the latest first: after two renames some database may still have either.
 */
export declare const toFormerNames: (description: string) => z.ZodUnion<readonly [z.ZodString, z.ZodArray<z.ZodString>]>;
export declare const toLabel: (description: string) => z.ZodString;
/** RFC 6749 scope tokens, without the comma, which the classic mode uses as separator. */
export declare const toSlug: (description: string) => z.ZodString;
/** True if a text is an http(s) address without credentials and fragment. */
export declare function isHttpUrl(text: string): boolean;
export declare const toHttpUrl: (description: string) => z.ZodString;
/**
 * Why this cannot be a redirect URI, as the end of a sentence; undefined if it can. It must be absolute
 * without fragment, and use https, http to this machine, or a private-use scheme (one with a dot).
 *
 * @see RFC 6749 3.1.2, RFC 8252 7.1 to 7.3
 */
export declare function findRedirectFault(text: string): string | undefined;
/** True if an address can be a redirect URI. */
export declare const isRedirectUri: (text: string) => boolean;
export declare const toRedirectUri: (description: string) => z.ZodString;
export declare const toPath: (description: string) => z.ZodString;
/** True if a text is an address block such as `10.0.0.0/8`, or a single address. */
export declare function isCidr(text: string): boolean;
/** True if a text is `*` or an origin such as `https://example.org`. */
export declare function isOrigin(text: string): boolean;
/** True if a record has no key that reaches a prototype. */
export declare const isSafeRecord: (record: Readonly<Record<string, unknown>>) => boolean;
export declare const jsonSchemaKey: z.ZodString;
