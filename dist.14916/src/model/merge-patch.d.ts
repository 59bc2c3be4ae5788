/**
 * Applies a merge patch: merges the members of objects; null removes a member, any other value replaces it.
 *
 * @see RFC 7396 section 2
 */
export declare function mergePatch(target: unknown, patch: unknown): unknown;
