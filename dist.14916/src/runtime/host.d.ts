import type { IncomingMessage } from 'node:http';
import { type Failure } from './failure.ts';
/**
 * Validates the host of a request.
 *
 * Several or an invalid one are 400. `own` are the names that `treadle dev` answers to, in addition to loopback names
 * and IP addresses: otherwise another site could point its own name at this machine (DNS rebinding) and read the
 * answers.
 *
 * @param own `--host` and the base URL, in development only.
 * @see RFC 9112 section 3.2
 */
export declare function findHostFault(req: IncomingMessage, own?: readonly (string | undefined)[]): Failure | undefined;
