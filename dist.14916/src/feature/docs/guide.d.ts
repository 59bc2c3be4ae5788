import { type DocPage } from './page.ts';
import type { Source } from './source.ts';
/** The pages of the guide: the overview, and a page for each topic that all calls share. */
export declare function listGuidePages(source: Source): DocPage[];
