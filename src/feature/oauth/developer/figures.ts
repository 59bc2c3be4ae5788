import { toStamp } from '../../../core/clock.ts';

/** Counts of an hour, as the event `app-traffic` has them. */
export interface HourCount {
  readonly hour: number;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
}

/** Responses within a period, by class of status. */
interface Bar {
  /** Label of the period: `14:00`, or `2026-01-31`. */
  readonly label: string;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
  readonly total: number;
}

/** A segment of a bar, in units of the chart's view box. */
interface Part {
  readonly kind: 'succeeded' | 'refused' | 'failed';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Figures {
  readonly bars: readonly (Bar & { readonly parts: readonly Part[]; readonly x: number; readonly width: number })[];
  readonly total: number;
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
  /** Share of responses below 400 in percent with one digit; undefined without any. */
  readonly rate: string | undefined;
  readonly most: number;
  readonly first: string;
  readonly last: string;
  readonly width: number;
  readonly height: number;
}

const HOUR = 3600;
const DAY = 86_400;
const WIDTH = 720;
const HEIGHT = 120;
const GAP = 4;
/** Minimum height of a segment, so that one of ten thousand is visible. */
const LEAST = 2;
const KINDS = ['succeeded', 'refused', 'failed'] as const;

const round = (value: number): number => Math.round(value * 100) / 100;

function toBar(label: string, counts: readonly HourCount[]): Bar {
  const sum = (kind: (typeof KINDS)[number]): number => counts.reduce((total, count) => total + count[kind], 0);
  const [succeeded, refused, failed] = KINDS.map(sum) as [number, number, number];
  return { label, succeeded, refused, failed, total: succeeded + refused + failed };
}

function toParts(bar: Bar, most: number, x: number, width: number): Part[] {
  let top = HEIGHT;
  return KINDS.filter((kind) => bar[kind] > 0).map((kind) => {
    const height = round(Math.max(LEAST, (bar[kind] / most) * (HEIGHT - LEAST * KINDS.length)));
    top = round(top - height);
    return { kind, x, y: top, width, height };
  });
}

function toFigures(bars: readonly Bar[]): Figures {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const sum = (kind: (typeof KINDS)[number] | 'total'): number => bars.reduce((total, bar) => total + bar[kind], 0);
  const [total, succeeded] = [sum('total'), sum('succeeded')];
  const step = WIDTH / bars.length;
  const width = round(step - GAP);
  return {
    bars: bars.map((bar, index) => {
      const x = round(index * step + GAP / 2);
      return { ...bar, x, width, parts: toParts(bar, most, x, width) };
    }),
    total,
    succeeded,
    refused: sum('refused'),
    failed: sum('failed'),
    rate: total === 0 ? undefined : (Math.floor((succeeded / total) * 1000) / 10).toString(),
    most,
    first: bars[0]?.label ?? '',
    last: bars.at(-1)?.label ?? '',
    width: WIDTH,
    height: HEIGHT,
  };
}

function divide(counts: readonly HourCount[], now: number, steps: number, seconds: number, cut: [number, number]) {
  const end = now - (now % seconds) + seconds;
  const bars = Array.from({ length: steps }, (_, index) => {
    const from = end - (steps - index) * seconds;
    const within = counts.filter(({ hour }) => hour >= from && hour < from + seconds);
    return toBar(toStamp(from * 1000).slice(...cut), within);
  });
  return toFigures(bars);
}

/** The last 24 hours, UTC; the current hour is last. */
export const toDayFigures = (counts: readonly HourCount[], now: number): Figures =>
  divide(counts, now, 24, HOUR, [11, 16]);

/** The last 30 days, UTC; today is last. */
export const toMonthFigures = (counts: readonly HourCount[], now: number): Figures =>
  divide(counts, now, 30, DAY, [0, 10]);
