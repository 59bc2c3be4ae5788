import type { CommitListener } from '../../plan/feature.ts';
import type { FindHooks } from './match.ts';
import { type Outbox } from './outbox.ts';
/** Event rows commit with the data of the action, so a failed action fires nothing. */
export declare function createCapture(outbox: Outbox, findHooks: FindHooks): CommitListener;
