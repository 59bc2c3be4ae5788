/** A value of a metric and its labels. Labels must have few values: each combination is a time series. */
interface Sample {
    readonly labels: Readonly<Record<string, string>>;
    readonly value: number;
}
/** Description of a metric for Prometheus. */
export interface FigureInfo {
    /** One sentence. */
    readonly help: string;
    /** A counter only grows; its name ends in `_total`. */
    readonly type: 'gauge' | 'counter';
    /** Names of the labels of its samples. Default none. */
    readonly labels?: readonly string[];
    /** How to combine the values of several processes. Default `sum`. */
    readonly combine?: 'sum' | 'max';
}
/** Metrics that are read together when scraped; nothing is computed between scrapes. */
export interface FigureSource {
    /** Its name in `treadle_metrics_source_up`, such as `database`. */
    readonly name: string;
    /**
     * `process`: each process has its own values. `server`: all processes see the same values, so one reports
     * them.
     */
    readonly scope: 'process' | 'server';
    /** By metric name: `treadle_<what>_<unit>`. */
    readonly figures: Readonly<Record<string, FigureInfo>>;
    /** The values by name; a missing metric is left out of the output. */
    read(): Readings | Promise<Readings>;
}
export type Readings = Readonly<Record<string, number | readonly Sample[] | undefined>>;
export {};
