import type { Log } from '../core/log.ts';
import { type Address } from './address.ts';
import type { Application } from './application.ts';
import type { Invocation, Outcome } from './spec.ts';
/** Milliseconds that a server has to end, after the drain time. */
export declare const END_MS = 10000;
/** The log of a production server, or of the process that supervises its workers. */
export declare function createProductionLog(invocation: Invocation): Log;
export declare function announce({ terminal }: Invocation, url: string): void;
/** Listens and prints the address; closes the application if it cannot listen. */
export declare function listen(app: Application, invocation: Invocation, address: Address): Promise<string>;
/** Starts the project's application in production mode. */
export declare function startProduction(invocation: Invocation, log: Log): Promise<Application>;
/** Closes the application, and ends the process if that takes too long. */
export declare function closeInTime(app: Application, invocation: Invocation, log: Log): Promise<void>;
/** Serves in production mode in this process until it is asked to stop. */
export declare function serveProduction(invocation: Invocation): Promise<Outcome>;
