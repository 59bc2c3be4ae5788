import type { Links } from './links.ts';
import { type DocPage } from './page.ts';
/**
 * The search index as a script that sets `treadleDocs`. It is not a JSON file, because a page opened from a
 * disk may load a script but not JSON. URLs are those of `links`.
 */
export declare function toSearchIndex(pages: readonly DocPage[], links: Links): string;
