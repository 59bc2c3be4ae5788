import type { Socket } from 'node:net';
import type { Clock, Random } from '../core/clock.ts';
import { type Problem } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import type { CompiledPlan } from '../plan/compile.ts';
import type { Context, Plan, Services } from '../plan/feature.ts';
import type { Environment } from '../project/environment.ts';
import type { Mode } from './exchange.ts';
import type { ListenAddress } from './listen.ts';
import { type ApplicationEmit } from './stage-emit.ts';
/** The result of compiling a project: a plan unless there is an error. */
interface Built {
    readonly plan: CompiledPlan | undefined;
    readonly problems: readonly Problem[];
    readonly environment: Environment;
}
export type Build = () => Promise<Built>;
export interface StartOptions {
    readonly root: string;
    readonly mode: Mode;
    readonly clock: Clock;
    readonly random: Random;
    readonly log: Log;
    readonly build: Build;
    readonly compile: Services['compile'];
    /** False for a one-off command: queued and background work is left to the server. */
    readonly hasWorkers: boolean;
    /** Called with a fault that the process must not survive. Default: the application closes. */
    readonly fail?: (error: unknown) => void;
}
/** A running project. One process can run several. */
export interface Application {
    readonly plan: Plan;
    readonly context: Context;
    readonly services: Services;
    /** URL that it listens on; undefined before. */
    readonly url: string | undefined;
    /** Advice of the last load, and the errors that kept the last reload from being served. */
    readonly problems: readonly Problem[];
    /** Listens and returns the URL; port 0 picks a free one. The host is 127.0.0.1 by default. */
    listen(address: ListenAddress): Promise<string>;
    /** Compiles again and swaps the plan. Returns the problems: if one is an error, the last good plan stays in use. */
    reload(): Promise<readonly Problem[]>;
    /**
     * Emits an event outside any HTTP request. With a request and a response, the listeners receive these, as in a controller.
     * With a stage, it creates both and returns the response; with `as` (an `auth_id`) as that user.
     */
    readonly emit: ApplicationEmit;
    /** Serves connections that another process accepted, instead of listening; returns a function that takes one. */
    attach(url: string): (socket: Socket) => void;
    /** Readiness answers 503 from now on; all other requests are still served. */
    drain(): void;
    /**
     * Shuts down: readiness answers 503 for the settings' `server.drainSeconds` while other requests are served (unless
     * {@link drain} was called before), then requests in flight end (8 s at most), workers stop, and the database
     * closes. A second call ends the drain time.
     */
    close(): Promise<void>;
}
/**
 * Compiles, opens the database, migrates if the mode allows, activates, and starts the workers.
 *
 * @throws PROJECT_DEFINITIONS_INVALID, DATABASE_BEHIND, SECRET_MISSING
 */
export declare function startApplication(options: StartOptions): Promise<Application>;
export {};
