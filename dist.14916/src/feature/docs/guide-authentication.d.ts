import type { Links } from './links.ts';
import { type PageData } from './page.ts';
import type { Source } from './source.ts';
/** The page on credentials: both sets of endpoints, with samples for a scope and a call of this API. */
export declare function toAuthentication({ plan, baseUrl }: Source, links: Links): PageData;
