import type { Clock } from '../../core/clock.ts';
import { isWorker } from '../../core/cluster.ts';
import { TreadleError } from '../../core/errors.ts';
import type { FigureSource, Readings } from '../../core/figure.ts';
import type { Log } from '../../core/log/log.ts';
import { isSameSecret } from '../../core/secret/secret.ts';
import type { ConnectionFigures } from '../../http/connection/connections.ts';
import type { Exchange, Traffic } from '../../http/exchange.ts';
import type { Settings } from '../../model/shape.ts';
import type { CompiledPlan } from '../../plan/compile.ts';
import type { Context } from '../../plan/feature.ts';
import type { Metrics } from '../../plan/metrics.ts';
import type { Environment } from '../../project/environment.ts';
import { TrafficTally } from '../operation/traffic-tally.ts';
import { createProcessRegistry, type ProcessRegistry, type Prometheus, type Snapshot } from './registry.ts';
import { listConnectionFigures, listSources } from './sources.ts';
import { createWorkerLink, type WorkerLink } from './workers.ts';

/** Maximum milliseconds to read one source. */
const SOURCE_MS = 1500;
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * The token that `/metrics` requires.
 *
 * @throws METRICS_TOKEN_MISSING if the settings require one and the environment has none.
 */
function getMetricsToken({ server }: Settings, environment: Environment): string | undefined {
  if (server.metrics !== 'token') return undefined;
  if (environment.metricsToken !== undefined) return environment.metricsToken;
  throw new TreadleError('METRICS_TOKEN_MISSING', '"server.metrics" is "token", and METRICS_TOKEN is not set.', {
    hint: 'Set METRICS_TOKEN to 16 characters or more: node -p "crypto.randomBytes(32).toString(\'hex\')".',
  });
}

interface OpenMetrics {
  readonly prometheus: Prometheus;
  readonly registry: ProcessRegistry;
  readonly sources: readonly FigureSource[];
}

/** The metrics of a running application. The library loads when the settings first enable them. */
export class RunningMetrics implements Metrics {
  readonly #clock: Clock;
  readonly #log: Log;
  #open: OpenMetrics | undefined;
  #token: string | undefined;
  #link: WorkerLink | undefined;
  #connections: (() => ConnectionFigures) | undefined;
  #reading: Promise<{ readonly type: string; readonly text: string }> | undefined;
  readonly traffic: Traffic;
  /** The requests of the last hour; counted also while `server.metrics` is `off`. */
  readonly tally: TrafficTally;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
    this.tally = new TrafficTally(clock);
    this.traffic = { underWay: 0, answered: (exchange, status) => this.#count(exchange, status) };
  }

  /**
   * Applies the settings of a plan. Counts are lost if the settings turn metrics off.
   *
   * @throws METRICS_TOKEN_MISSING
   */
  async use(plan: CompiledPlan, context: Context, environment: Environment): Promise<void> {
    const { settings } = plan.model;
    this.#token = getMetricsToken(settings, environment);
    if (settings.server.metrics === 'off') {
      this.close();
      return;
    }
    const sources = [listConnectionFigures(() => this.#connections?.()), ...listSources(plan, context)];
    const prometheus = this.#open?.prometheus ?? (await import('prom-client'));
    const before = this.#open?.registry;
    this.#open = { prometheus, sources, registry: createProcessRegistry(prometheus, sources, before?.durations) };
    if (isWorker) this.#link ??= createWorkerLink(this.#clock, () => this.#snapshot());
  }

  /** @param connections Returns the figures of the server's connections. */
  watch(connections: () => ConnectionFigures): void {
    this.#connections = connections;
  }

  close(): void {
    this.#link?.close();
    this.#link = undefined;
    this.#open = undefined;
  }

  #count({ method, route, startedAt }: Exchange, status: number): void {
    this.tally.add(startedAt, status);
    if (this.#open === undefined) return;
    const seconds = Math.max(0, this.#clock.now() - startedAt) / 1000;
    const known = METHODS.has(method) ? method : 'other';
    this.#open.registry.durations.observe({ method: known, route: route ?? 'unmatched', status }, seconds);
  }

  isToken(text: string): boolean {
    return this.#token !== undefined && isSameSecret(text, this.#token);
  }

  /** Concurrent scrapes share one answer, so that frequent scraping costs little. */
  read(): Promise<{ readonly type: string; readonly text: string }> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<{ readonly type: string; readonly text: string }> {
    const open = this.#getOpen();
    const { own, shared } = open.registry;
    await this.#fill(open, 'server');
    const text = (await this.#link?.readTotal()) ?? (await this.#readOwn(open));
    return { type: own.contentType, text: `${text}\n${await shared.metrics()}` };
  }

  async #readOwn(open: OpenMetrics): Promise<string> {
    await this.#fill(open, 'process');
    return open.registry.own.metrics();
  }

  #getOpen(): OpenMetrics {
    if (this.#open) return this.#open;
    throw new TreadleError('METRICS_OFF', 'Metrics are disabled: "server.metrics" is "off".', { status: 404 });
  }

  async #snapshot(): Promise<Snapshot> {
    const open = this.#getOpen();
    await this.#fill(open, 'process');
    return open.registry.own.getMetricsAsJSON();
  }

  async #fill({ registry, sources }: OpenMetrics, scope: FigureSource['scope']): Promise<void> {
    registry.inFlight.set(this.traffic.underWay);
    const wanted = sources.filter((source) => source.scope === scope);
    await Promise.all(wanted.map(async (source) => registry.put(source, await this.#readSource(source))));
  }

  /** A source that does not answer, such as an unreachable database, does not affect the others. */
  async #readSource(source: FigureSource): Promise<Readings | undefined> {
    const late = { cancel: (): void => {} };
    const limit = new Promise<never>((_, reject) => {
      const message = `The metrics of ${source.name} were not read in time.`;
      late.cancel = this.#clock.after(SOURCE_MS, () => reject(new TreadleError('METRICS_UNREAD', message)));
    });
    try {
      return await Promise.race([(async () => source.read())(), limit]);
    } catch (error) {
      this.#log.warn('metrics could not be read', { source: source.name, error });
      return undefined;
    } finally {
      late.cancel();
    }
  }
}
