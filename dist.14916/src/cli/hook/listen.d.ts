import { type Clock } from '../../core/clock.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { type Headers } from './verify.ts';
/** What arrived, and what was answered. */
export interface Arrival {
    readonly method: string;
    readonly path: string;
    readonly headers: Headers;
    readonly body: string;
    /** Why it is not to be trusted; null where it was verified, undefined where no secret is known. */
    readonly fault: string | null | undefined;
    /** Whether this `webhook-id` came before. */
    readonly isAgain: boolean;
    readonly status: number;
    /** Why it could not be passed on. */
    readonly trouble: string | undefined;
}
export interface ListenOptions {
    readonly secrets: readonly string[];
    /** What is answered to what can be trusted; what cannot gets 400. */
    readonly status: number;
    /** Where it is passed on to, as it came; its answer goes back. */
    readonly forward: string | undefined;
    readonly clock: Clock;
    readonly outbound: Outbound;
    readonly onArrival: (arrival: Arrival) => void;
}
export interface Listening {
    readonly url: string;
    close(): Promise<void>;
}
/** A receiver of web hooks on this machine, which verifies what arrives. @throws whatever listening throws. */
export declare function listen(address: {
    readonly port: number;
    readonly host: string;
}, options: ListenOptions): Promise<Listening>;
