/** Metrics for operators, counted by `app/metrics/` unless `server.metrics` is `off`. */
export interface Metrics {
  /**
   * The sums over all workers in Prometheus format, with their media type.
   *
   * @throws METRICS_UNREAD (503) if the workers do not answer.
   */
  read(): Promise<{ readonly type: string; readonly text: string }>;
  /** True if a text is `METRICS_TOKEN`; compared in constant time. */
  isToken(text: string): boolean;
}
