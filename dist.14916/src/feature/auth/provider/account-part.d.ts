import type { Row } from '../../../database/database.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Pair } from '../page.ts';
/**
 * What the page of an account shows of its password and its providers.
 * @param target Where a sign-in goes afterwards. Default: the page itself.
 */
export declare function toWaysIn(context: Context, { request }: Pair, target?: string): Promise<Row>;
