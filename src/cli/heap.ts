import process from 'node:process';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** How much the heap may grow before V8 collects it whole, in percent of what the last collection left. */
const GROWTH_PERCENT = 60;
const GROWTH = '--heap-growing-percent';
/** By what V8 multiplies the space for new objects if many of them outlive a collection. */
const YOUNG_GROWTH = '--semi-space-growth-factor';
const YOUNG_FACTOR = 2;
/** Both halves of the space for new objects, from which on it does not grow. V8's own limit is twice that. */
const YOUNG_BYTES = 16_777_216;
/** Milliseconds between looks at its size: while it may grow, and otherwise. */
const GROWING_MS = 50;
const CHECK_MS = 1000;
/** Share of a processor from which on a process needs more space for new objects. */
const BUSY = 0.1;

/** Flags set since the process began, with V8's defaults: V8 rejects compiled code that was kept under other flags. */
const changed = new Map<string, { readonly own: number; readonly byDefault: number }>();

/** These flags with the values that they have, or had when the process began, for `bin/launch.ts`. */
export const listFlags = (which: 'own' | 'byDefault'): string[] =>
  [...changed].map(([flag, values]) => `${flag}=${values[which]}`);

function setFlag(flag: string, own: number, byDefault: number): void {
  changed.set(flag, { own, byDefault });
  setFlagsFromString(`${flag}=${own}`);
}

/** A value on the command line of Node wins. */
function isGiven(...flags: readonly string[]): boolean {
  const options = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').replaceAll('_', '-');
  return flags.some((flag) => options.includes(flag));
}

/** Whether V8 may double the space for new objects, which a server at full load does several times a second. */
function mayGrow(isBusy: boolean): boolean {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return isBusy && (young?.space_size ?? 0) < YOUNG_BYTES;
}

/** @param used Processor time until the last look, in microseconds. */
function limitYoung(used: number, waited: number): void {
  const { user, system } = process.cpuUsage();
  const isGrowing = mayGrow(user + system - used > waited * 1000 * BUSY);
  const factor = isGrowing ? YOUNG_FACTOR : 1;
  if (changed.get(YOUNG_GROWTH)?.own !== factor) setFlag(YOUNG_GROWTH, factor, YOUNG_FACTOR);
  const next = isGrowing ? GROWING_MS : CHECK_MS;
  setTimeout(() => limitYoung(user + system, next), next).unref();
}

/**
 * Limits what V8 takes beyond what is in use. Call it after the start, which allocates much that it keeps.
 *
 * - It collects the heap earlier. By default it waits until a small heap is up to four times as large, and a server that
 *   was attacked keeps that memory. Measured by `test/torture/withstand-reads.mjs`: 217 MB in place of 275 MB, at the same
 *   processor time for each request.
 * - The space for new objects takes 16 MB in place of 32 MB. Its limit cannot be set in a process that runs, only its
 *   growth, and V8 shrinks it while nothing happens: so a timer asks for its size, and lets it grow while there is work.
 */
export function limitHeapGrowth(): void {
  if (!isGiven(GROWTH)) setFlag(GROWTH, GROWTH_PERCENT, 0);
  if (changed.has(YOUNG_GROWTH) || isGiven(YOUNG_GROWTH, '--max-semi-space-size')) return;
  limitYoung(0, 0);
}
