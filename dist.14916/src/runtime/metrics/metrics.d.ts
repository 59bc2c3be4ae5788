import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Context, Metrics } from '../../plan/feature.ts';
import type { Environment } from '../../project/environment.ts';
import type { ConnectionFigures } from '../connections.ts';
import type { Exchange } from '../exchange.ts';
/** Request counts from the dispatch. Nearly free while `server.metrics` is `off`. */
export interface Traffic {
    /** Number of requests in progress. */
    underWay: number;
    readonly answered: (exchange: Exchange, status: number) => void;
}
/** The metrics of a running application. The library loads when the settings first enable them. */
export declare class RunningMetrics implements Metrics {
    #private;
    readonly traffic: Traffic;
    constructor(clock: Clock, log: Log);
    /**
     * Applies the settings of a plan. Counts are lost if the settings turn metrics off.
     *
     * @throws METRICS_TOKEN_MISSING
     */
    use(plan: CompiledPlan, context: Context, environment: Environment): Promise<void>;
    /** @param connections Returns the figures of the server's connections. */
    watch(connections: () => ConnectionFigures): void;
    close(): void;
    isToken(text: string): boolean;
    /** Concurrent scrapes share one answer, so that frequent scraping costs little. */
    read(): Promise<{
        readonly type: string;
        readonly text: string;
    }>;
}
