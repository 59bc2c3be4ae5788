import type { Row } from '../../../database/database.ts';
import type { Context } from '../../../plan/feature.ts';
/** Links to the providers for a page; `target` is where to go afterwards, empty for the home page. */
export declare function toButtons(context: Context, target: string): readonly Row[];
