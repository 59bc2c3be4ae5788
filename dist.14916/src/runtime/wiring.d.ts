import type { Database } from '../database/database.ts';
import type { ServedMode } from '../database/served-mode.ts';
import type { Plan, Services } from '../plan/feature.ts';
import type { Environment } from '../project/environment.ts';
import type { StartOptions } from './application.ts';
import { RunningMetrics } from './metrics/metrics.ts';
import { type RuntimeSessions } from './session.ts';
export interface ServiceParts {
    readonly options: StartOptions;
    readonly environment: Environment;
    readonly database: Database;
    readonly served: ServedMode | undefined;
    readonly servedSecret: string | undefined;
    readonly settings: () => Plan['model']['settings'];
    readonly url: () => string | undefined;
    readonly fail: (error: unknown) => void;
    readonly reload: Services['reload'];
}
/** The services that a running application shares with its features. */
export declare function createServices({ options, environment, database, served, servedSecret, settings, url, fail, reload, }: ServiceParts): {
    services: Services;
    sessions: RuntimeSessions;
    metrics: RunningMetrics;
};
