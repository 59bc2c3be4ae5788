import type { Counter, Gauge, Histogram, MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import type { FigureInfo, FigureSource, Readings } from '../../core/figure.ts';
import { packageVersion } from '../../core/file/package-root.ts';

export type Prometheus = typeof import('prom-client');
/** The metrics of one process, as sent between processes. */
export type Snapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Seconds: from a read by key to a request that times out. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** For several processes, the worst value is more useful than the mean. */
const WORST = /^nodejs_eventloop_lag(_stddev|_p\d+)?_seconds$/;

type Series = Gauge | Counter;

/** Node's metrics belong to the process, even if several applications run in it. */
const ofProcess = new WeakMap<Prometheus, Registry>();

/** A metric of the library; its public types omit how several processes are summed. */
interface LibraryMetric {
  readonly name: string;
  aggregator: string;
  get(): Promise<{ values: readonly { readonly value: number }[] }>;
}

/** Seconds: a higher value is not a delay, but a monitor without a sample since the last reading. */
const MOST_LAG = 1e6;

/**
 * Two readings within one sample interval find the monitor empty: omits the wrong value that the library would write.
 */
function leaveOutEmpty(metric: LibraryMetric): void {
  const get = metric.get.bind(metric);
  metric.get = async () => {
    const found = await get();
    return { ...found, values: found.values.filter(({ value }) => value < MOST_LAG) };
  };
}

/** Processor time, memory, file descriptors, event loop, garbage collection. */
function findProcessRegistry(prometheus: Prometheus): Registry {
  const known = ofProcess.get(prometheus);
  if (known) return known;
  const register = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register });
  for (const metric of register.getMetricsAsArray() as unknown as LibraryMetric[]) {
    if (metric.name.startsWith('nodejs_eventloop_lag_')) leaveOutEmpty(metric);
    if (WORST.test(metric.name)) metric.aggregator = 'max';
    if (metric.name === 'process_start_time_seconds') metric.aggregator = 'min';
  }
  ofProcess.set(prometheus, register);
  return register;
}

/** The metrics of one process: its own, and those that all processes share. */
export interface ProcessRegistry {
  readonly own: Registry;
  readonly shared: Registry;
  readonly durations: Histogram;
  readonly inFlight: Gauge;
  /** Replaces the previous readings of a source; undefined if it could not be read. */
  put(source: FigureSource, readings: Readings | undefined): void;
}

function createSeries(prometheus: Prometheus, name: string, info: FigureInfo, register: Registry): Series {
  const labelNames = [...(info.labels ?? [])];
  const options = { name, help: info.help, labelNames, aggregator: info.combine ?? 'sum', registers: [register] };
  return info.type === 'counter' ? new prometheus.Counter(options) : new prometheus.Gauge(options);
}

function putSeries(series: Series, values: Readings[string]): void {
  series.reset();
  if (values === undefined) return;
  const samples = typeof values === 'number' ? [{ labels: {}, value: values }] : values;
  for (const { labels, value } of samples) {
    if (labels === undefined) continue;
    series.inc(labels, value);
  }
}

function createDurations(prometheus: Prometheus): Histogram {
  return new prometheus.Histogram({
    name: 'http_request_duration_seconds',
    help: 'Seconds to answer a request, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [],
  });
}

/**
 * Creates the registries for these sources.
 *
 * @param durations Histogram of the plan before, so that a reload loses no counts.
 */
export function createProcessRegistry(
  prometheus: Prometheus,
  sources: readonly FigureSource[],
  durations: Histogram = createDurations(prometheus),
): ProcessRegistry {
  const own = prometheus.Registry.merge([findProcessRegistry(prometheus)]);
  own.registerMetric(durations);
  const shared = new prometheus.Registry();
  const series = new Map<string, Series>();
  for (const { scope, figures } of sources)
    for (const [name, info] of Object.entries(figures))
      series.set(name, createSeries(prometheus, name, info, scope === 'process' ? own : shared));
  const up = new prometheus.Gauge({
    name: 'treadle_metrics_source_up',
    help: '1 if the metrics of a part could be read, 0 if they are missing.',
    labelNames: ['source'],
    aggregator: 'min',
    registers: [own],
  });
  const build = new prometheus.Gauge({
    name: 'treadle_build_info',
    help: "Treadle's version and Node's.",
    labelNames: ['version', 'node'],
    registers: [shared],
  });
  build.set({ version: packageVersion, node: process.versions.node }, 1);
  return {
    own,
    shared,
    durations,
    inFlight: new prometheus.Gauge({
      name: 'http_requests_in_flight',
      help: 'Requests in progress.',
      registers: [own],
    }),
    put({ name, figures }, readings) {
      up.set({ source: name }, readings === undefined ? 0 : 1);
      for (const figure of Object.keys(figures)) {
        const one = series.get(figure);
        if (one) putSeries(one, readings?.[figure]);
      }
    },
  };
}
