import type { Invocation, Outcome } from '../spec.ts';
/** Serves the connections that the first process hands over, until it says stop. */
export declare function serveAsWorker(invocation: Invocation): Promise<Outcome>;
