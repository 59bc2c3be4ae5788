import { type Emitted } from '../core/bus.ts';
import type { Response } from '../core/response.ts';
import type { Context } from './feature.ts';
/**
 * Refuses an event that a listener stopped with `false` without saying what came of it: the caller would take nothing for
 * success.
 *
 * @throws EVENT_STOPPED_EMPTY
 */
export declare function assertAnswered(context: Context, event: string, emitted: Emitted, response: Response): void;
