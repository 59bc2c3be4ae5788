import type { Pair } from '../../developer/frame.ts';
import type { Context } from '../../plan/feature.ts';
/** One delivery with its payload and every attempt. */
export declare function openDelivery(context: Context, pair: Pair): Promise<void>;
export declare function postDelivery(context: Context, pair: Pair): Promise<void>;
