import { toStamp } from '../../../core/clock.ts';
import { type BarChart, type Counted, toBar, toBarChart } from '../../../developer/bar-chart.ts';

/** Counts of an hour, as the event `app-traffic` has them. */
export interface HourCount extends Counted {
  readonly hour: number;
}

const HOUR = 3600;
const DAY = 86_400;
function divide(counts: readonly HourCount[], now: number, steps: number, seconds: number, cut: [number, number]) {
  const end = now - (now % seconds) + seconds;
  const bars = Array.from({ length: steps }, (_, index) => {
    const from = end - (steps - index) * seconds;
    const within = counts.filter(({ hour }) => hour >= from && hour < from + seconds);
    return toBar(toStamp(from * 1000).slice(...cut), within);
  });
  return toBarChart(bars);
}

/** The last 24 hours, UTC; the current hour is last. */
export const toDayFigures = (counts: readonly HourCount[], now: number): BarChart =>
  divide(counts, now, 24, HOUR, [11, 16]);

/** The last 30 days, UTC; today is last. */
export const toMonthFigures = (counts: readonly HourCount[], now: number): BarChart =>
  divide(counts, now, 30, DAY, [0, 10]);
