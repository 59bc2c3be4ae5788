import { type Clock, type Random } from './core/clock.ts';
import { type Problem } from './core/errors.ts';
import type { Log } from './core/log.ts';
import { findProviderFault as askProvider } from './feature/auth/provider/probe.ts';
import { listOwners } from './feature/oauth/client/owner.ts';
import { deliverNow } from './feature/webhook/deliver-now.ts';
import { readFigures } from './feature/webhook/figures.ts';
import type { Json } from './model/value-schema.ts';
import { type CompiledPlan } from './plan/compile.ts';
import type { Plan } from './plan/feature.ts';
import { type Environment } from './project/environment.ts';
import { type Application } from './runtime/application.ts';
import type { Mode } from './runtime/exchange.ts';
export type { Application } from './runtime/application.ts';
export interface AppOptions {
    /** Project root, absolute. */
    readonly root: string;
    /** `development` reloads and migrates; `production` refuses what is broken or behind; `test` migrates, quietly. Default `production`. */
    readonly mode?: Mode;
    /** The process's environment, laid over `.env`. Default `process.env`. */
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly clock?: Clock;
    readonly random?: Random;
    /** Default: one line an event on standard error; text in development, JSON else; from the level of `LOG_LEVEL` up. */
    readonly log?: Log;
    /**
     * Called with a fault after which the process must not go on, such as a disk that did not keep what was written. The log has
     * it already. Default: the application closes. `treadle start` and `treadle dev` end the process at once with exit code 1.
     */
    readonly fail?: (error: unknown) => void;
    /**
     * Whether it does what is done beside requests, such as the delivery of web hooks. Default true; false for one piece
     * of work, which leaves what is queued to the server.
     */
    readonly hasWorkers?: boolean;
}
export interface CompiledProject {
    /** Undefined where a problem is more than advice. */
    readonly plan: CompiledPlan | undefined;
    readonly problems: readonly Problem[];
    readonly environment: Environment;
    /** Reads and parses every template of the project's packages. */
    readonly checkTemplates: () => readonly Problem[];
}
/** The log of a server: text for a person in development, else JSON, from the level of `LOG_LEVEL` up. */
export declare function createServerLog(options: Required<Pick<AppOptions, 'root' | 'mode' | 'env'>> & {
    clock?: Clock;
}): Log;
/** Compiles a project without opening a database: for `check`, `docs`, `routes` and the like. */
export declare function compileProject(root: string, env?: Readonly<Record<string, string | undefined>>): Promise<CompiledProject>;
/** The API as an OpenAPI document; where the settings name no address, at one that stands for any. */
export declare function describeApi(plan: Plan): Json;
/** The developer docs as static files: path to text. The same plan gives the same bytes. */
export declare function renderDocs(plan: Plan): Map<string, string>;
/**
 * Starts a project: compiles it, opens its database, migrates where the mode allows, and activates the plan. Call
 * `listen` to serve it, `emit` to use it without a server, `close` to end it.
 *
 * @throws PROJECT_DEFINITIONS_INVALID (a {@link ProblemsError} with all problems).
 * @throws DATABASE_BEHIND in production where the database lacks something.
 * @throws SECRET_MISSING without TREADLE_SECRET, in production and on a database that was last served in production.
 */
export declare function createApp(options: AppOptions): Promise<Application>;
/** Sends these deliveries of web hooks here, for a command that waits for what comes of it and has no workers: {@link deliverNow}. */
export declare const sendNow: ({ context }: Application, which: Parameters<typeof deliverNow>[1]) => Promise<void>;
/** How web hooks stand, of a database whose project need not be whole, for `treadle doctor`: {@link readFigures}. */
export declare const readHookFigures: typeof readFigures;
/** How the owners stand that app files name, for commands: {@link listOwners}. */
export declare const readOwners: typeof listOwners;
/** Why a sign-in provider cannot be read, for `treadle doctor`: {@link askProvider}. */
export declare const findProviderFault: typeof askProvider;
