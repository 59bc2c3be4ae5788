import type { Gauge, Histogram, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { FigureSource, Readings } from '../../core/figure.ts';
export type Prometheus = typeof import('prom-client');
/** The metrics of one process, as sent between processes. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];
/** The metrics of one process: its own, and those that all processes share. */
export interface ProcessRegistry {
    readonly own: Registry;
    readonly shared: Registry;
    readonly durations: Histogram;
    readonly inFlight: Gauge;
    /** Replaces the previous readings of a source; undefined if it could not be read. */
    put(source: FigureSource, readings: Readings | undefined): void;
}
/**
 * Creates the registries for these sources.
 *
 * @param durations Histogram of the plan before, so that a reload loses no counts.
 */
export declare function createProcessRegistry(prometheus: Prometheus, sources: readonly FigureSource[], durations?: Histogram): ProcessRegistry;
