import type { DocPage } from './page.ts';
import type { Source } from './source.ts';
/** Every page of a plan's docs, in reading order. */
export declare function listPages(source: Source): DocPage[];
