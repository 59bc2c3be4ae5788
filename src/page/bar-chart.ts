/** Answers of a period, by class of status. */
export interface AnswerCounts {
  readonly succeeded: number;
  readonly refused: number;
  readonly failed: number;
}

/** Responses within a period, by class of status. */
export interface Bar extends AnswerCounts {
  /** Label of the period: `14:00`, or `2026-01-31`. */
  readonly label: string;
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

/** A chart of bars, for a template to draw. */
export interface BarChart {
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

const WIDTH = 720;
const HEIGHT = 120;
/** Share of a bar's room that stays empty. */
const GAP = 0.15;
/** Minimum height of a segment, so that one of ten thousand is visible. */
const LEAST = 2;
const KINDS = ['succeeded', 'refused', 'failed'] as const;

const round = (value: number): number => Math.round(value * 100) / 100;

/** A bar that sums counts. */
export function toBar(label: string, counts: readonly AnswerCounts[]): Bar {
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

/** Draws bars side by side, each as segments from the base up. */
export function toBarChart(bars: readonly Bar[]): BarChart {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const sum = (kind: (typeof KINDS)[number] | 'total'): number => bars.reduce((total, bar) => total + bar[kind], 0);
  const [total, succeeded] = [sum('total'), sum('succeeded')];
  const step = WIDTH / bars.length;
  const width = round(step * (1 - GAP));
  return {
    bars: bars.map((bar, index) => {
      const x = round(index * step + (step * GAP) / 2);
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
