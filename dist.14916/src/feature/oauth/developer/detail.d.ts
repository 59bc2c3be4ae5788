import { type Pair } from '../../../developer/frame.ts';
import type { Context } from '../../../plan/feature.ts';
export declare function showDetail(context: Context, pair: Pair): Promise<void>;
export declare function showSessions(context: Context, pair: Pair): Promise<void>;
export declare function postSession(context: Context, pair: Pair): Promise<void>;
