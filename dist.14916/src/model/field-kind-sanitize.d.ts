/**
 * Hosts of video players that may be framed. runtime/header.ts uses the same list for the pages' `frame-src`.
 */
export declare const FRAME_HOSTS: readonly string[];
/** Maximum open tags. A closing tag is searched among them, so thousands would take quadratic time. */
export declare const MOST_LEVELS = 256;
/**
 * Cleans HTML with an allow-list: no scripts, handlers, styles, forms or `javascript:` addresses. Links get
 * `rel="noopener"`; only frames of known video players stay.
 *
 * @param tags Allowed tags, limited to the safe ones. Default: all safe tags.
 * @throws {@link ValueRefused} if more than {@link MOST_LEVELS} tags are open at once.
 */
export declare function sanitizeHtml(html: string, tags?: readonly string[]): string;
