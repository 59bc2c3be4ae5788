import type { Terminal } from './terminal.ts';

const WIDTH = 24;
/** Milliseconds between two updates of the line. */
const EVERY = 100;

export interface Progress {
  /** Adds to the completed amount. */
  advance(amount: number): void;
  /** Adds to the number of completed rows. */
  count(rows: number): void;
  /** Removes the line. */
  end(): void;
}

function toTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const toNumber = (value: number): string => Math.round(value).toLocaleString('en');

/**
 * A line with a bar, the rate and the time left, on standard error, only on a terminal.
 *
 * @param total The total for {@link Progress.advance}: bytes of a file, or rows. Without it there is no bar.
 * @param now Milliseconds, from any start.
 */
export function createProgress(
  terminal: Pick<Terminal, 'progress'>,
  label: string,
  total: number | undefined,
  now: () => number = () => performance.now(),
): Progress {
  const start = now();
  const state = { done: 0, rows: 0, shown: Number.NEGATIVE_INFINITY };
  const show = (): void => {
    const at = now();
    if (at - state.shown < EVERY) return;
    state.shown = at;
    const seconds = Math.max((at - start) / 1000, 0.001);
    const part = total === undefined || total === 0 ? undefined : Math.min(state.done / total, 1);
    const filled = part === undefined ? 0 : Math.floor(part * WIDTH);
    const bar =
      part === undefined
        ? ''
        : ` [${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${String(Math.floor(part * 100)).padStart(3)} %`;
    const left = part === undefined || part < 0.01 ? '' : `  ${toTime((seconds / part) * (1 - part))} left`;
    terminal.progress(`${label}${bar}  ${toNumber(state.rows)} rows  ${toNumber(state.rows / seconds)}/s${left}`);
  };
  return {
    advance(amount) {
      state.done += amount;
      show();
    },
    count(rows) {
      state.rows += rows;
      show();
    },
    end: () => terminal.progress(''),
  };
}
