// The tables of the part "peer".
import { perSecond } from '../load.mjs';
import { toTable } from '../page.mjs';
import { START_LINE } from './lines.mjs';

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/** Those that Treadle is compared with: all but itself without the sync of each commit. */
const listOthers = (sides) => sides.slice(1).filter(({ isOnlyForWrites }) => !isOnlyForWrites);

export const toHead = (sides) => [
  '',
  ...sides.map(({ name }) => name),
  ...listOthers(sides).flatMap(({ name }) => [`rate to ${name}`, 'by processor time']),
  'p99',
];

/** A cell for each side, the ratios of Treadle to the others, and its p99. Empty where a side does not take the line. */
export function toCells(title, sides, figures) {
  const found = new Map(figures.map((one) => [one.name, one]));
  const ratios = (name) => {
    const one = found.get(name);
    return one === undefined ? ['', ''] : [one.rateRatio.toFixed(2), one.cpuRatio.toFixed(2)];
  };
  return [
    title,
    ...sides.map(({ name }) => (found.has(name) ? perSecond(found.get(name)) : '')),
    ...listOthers(sides).flatMap(({ name }) => ratios(name)),
    `${Math.round(found.get(sides[0].name).p99)} ms`,
  ];
}

const toFigure = (list) =>
  perSecond({ rate: median(list.map(({ rate }) => rate)), cpu: median(list.map(({ cpu }) => cpu)) });

/** @param found For each side its starts: the figures of the first window, and of the steady one. */
export function toStartTable(sides, found) {
  const rows = sides.map(({ name }, index) => {
    const starts = found[index];
    return [
      name,
      toFigure(starts.map(({ first }) => first)),
      toFigure(starts.map(({ steady }) => steady)),
      median(starts.map(({ first, steady }) => first.rate / steady.rate)).toFixed(2),
      median(starts.map(({ first, steady }) => steady.cpu / first.cpu)).toFixed(2),
    ];
  });
  const head = [START_LINE, 'first 3 s after a start', 'third 3 s', 'share of the rate', 'by processor time'];
  return toTable(head, rows);
}
