import type { Clock } from '../core/clock.ts';
import type { Outbound } from './outbound.ts';
import { type Resolve } from './resolve.ts';
export interface OutboundOptions {
    readonly clock: Clock;
    /** Default: DNS, then the hosts file and the search domains of the machine. */
    readonly resolve?: Resolve;
    /** Trusted certificate authorities (PEM). Default: those of Node and its environment. */
    readonly authorities?: readonly string[];
}
/**
 * The only way out over HTTP. Each call resolves the name once and checks every address; a socket may only
 * connect to those. TLS is verified, redirects are not followed, answers are not decompressed.
 */
export declare function createOutbound({ clock, resolve, authorities }: OutboundOptions): Outbound;
