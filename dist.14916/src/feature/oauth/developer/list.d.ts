import { type Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
export declare const LIST = "/developer/app/search";
export declare function showApps(context: Context, pair: Pair): Promise<void>;
