/** Reads one cookie without parsing the others; undefined if it is absent. The first cookie of a name counts. */
export declare function readCookie(header: string | undefined, name: string): string | undefined;
/** All cookies of a request. The first of a name counts; prototype names are left out. */
export declare function parseCookies(header: string): Record<string, unknown>;
/** Name of the session cookie. Over https the `__Host-` prefix binds it to this host. */
export declare const toSessionCookieName: (isSecure: boolean) => string;
/**
 * The `Set-Cookie` value of a session.
 *
 * @param seconds Lifetime; 0 clears the cookie.
 * @see RFC 6265bis section 4.1.3
 */
export declare function toSessionCookie(value: string, isSecure: boolean, seconds: number): string;
