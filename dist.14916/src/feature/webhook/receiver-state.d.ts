import type { Request } from '../../core/request.ts';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type Receiver } from './receiver.ts';
/** A receiver by the current definitions. */
export interface KnownReceiver extends Receiver {
    readonly hook: string;
    readonly title: string;
    /** The app's id and title; undefined for the hook's own address. */
    readonly app: {
        readonly id: number;
        readonly title: string;
    } | undefined;
    /** Whether the app still needs approval for the hook: nothing is sent before. */
    readonly isWaiting: boolean;
}
export declare const RECEIVER_STATES: readonly ['enabled', 'failing', 'disabled', 'waiting', 'unused'];
export type ReceiverState = (typeof RECEIVER_STATES)[number];
/** The receivers that a stage selects by `hook`, `receiver`, `url`, app or owner. */
export declare function findKnown(context: Context, request: Request): Promise<KnownReceiver[]>;
/** Receivers with their state, up to a limit. */
export declare function describeReceivers(context: Context, known: readonly KnownReceiver[], wanted: {
    readonly state: string | undefined;
    readonly limit: number;
}): Promise<Row[]>;
