// Loads servers in turn, so that other work on the machine slows each alike, and puts the figures side by side.
import process from 'node:process';
import autocannon from 'autocannon';
import { cpuSeconds } from './server.mjs';

const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

/**
 * A request whose `path` or `body` is a function gets another one each time: answers that were given before are kept, and
 * a text that is there already changes nothing. One with `each` is another altogether. `numbers` counts on from round to
 * round.
 */
function toAutocannon({ path, method = 'GET', headers = {}, body, each }, numbers) {
  if (each !== undefined) {
    // The package writes the length of the body into the headers.
    const setupRequest = (request) => {
      numbers.next += 1;
      const { headers: own, ...next } = each(numbers.next);
      return { ...request, method, body: undefined, ...next, headers: { ...headers, ...own } };
    };
    return { method, ...each(0), setupRequest };
  }
  const of = (given, number) => (typeof given === 'function' ? given(number) : given);
  const base = { method, headers, path: of(path, 0), ...(body === undefined ? {} : { body: of(body, 0) }) };
  if (typeof path === 'string' && typeof body !== 'function') return base;
  const setupRequest = (request) => {
    numbers.next += 1;
    const next = { ...request, path: of(path, numbers.next) };
    return body === undefined ? next : { ...next, body: of(body, numbers.next) };
  };
  return { ...base, setupRequest };
}

/** One load of one server; `status` of the request is the expected one, or a list of them. */
async function loadOnce({ server, request: asked, numbers, beside }, { connections, seconds }) {
  const stop = beside?.();
  const before = cpuSeconds(server);
  const requests = [toAutocannon(asked, numbers)];
  const result = await autocannon({ url: server.url, connections, duration: seconds, requests });
  const after = cpuSeconds(server);
  await stop?.();
  const { status = 200 } = asked;
  const total = result.requests.total;
  const others = [status].flat().reduce((left, one) => left - (result.statusCodeStats?.[one]?.count ?? 0), total);
  if (others > total / 1000 || result.errors > 0)
    throw new Error(`${requests[0].path}: ${others} of ${total} not ${status}, ${result.errors} errors`);
  return {
    rate: result.requests.average,
    p99: result.latency.p99,
    cpu: ((after - before) / total) * 1e6,
  };
}

/**
 * Loads each side in turn, round after round.
 *
 * @param sides Name, server and request of each; ratios compare the first with the others. `beside` starts something else
 * for the time of a load, and returns what ends it. `numbers` goes on from an earlier load.
 * @returns the medians of each side, and the medians of the ratios to the first.
 */
export async function compare(sides, options) {
  const found = sides.map(() => ({ rate: [], p99: [], cpu: [] }));
  const loaded = sides.map((side) => ({ numbers: { next: 0 }, ...side }));
  for (let round = 0; round < options.rounds; round += 1) {
    const turn = [...loaded.entries()];
    if (round % 2 === 1) turn.reverse();
    for (const [index, side] of turn) {
      const figures = await loadOnce(side, options);
      for (const key of Object.keys(figures)) found[index][key].push(figures[key]);
    }
  }
  const [first] = found;
  return found.map((side, index) => ({
    name: sides[index].name,
    rate: median(side.rate),
    p99: median(side.p99),
    cpu: median(side.cpu),
    rateRatio: median(first.rate.map((rate, round) => rate / side.rate[round])),
    cpuRatio: median(side.cpu.map((cpu, round) => cpu / first.cpu[round])),
  }));
}

const show = (number) => Math.round(number).toString();
export const perSecond = ({ rate, cpu }) =>
  Number.isFinite(cpu) ? `${show(rate)}/s, ${show(cpu)} µs` : 'no answer in a round';

/** A row of a table: rate and processor time a request of each side, and the ratios of the first to the second. */
export function toRow(title, figures) {
  const [first, second] = figures;
  const ratios = second ? [second.rateRatio.toFixed(2), second.cpuRatio.toFixed(2)] : [];
  const cells = [title, ...figures.map(perSecond), ...ratios, `${show(first.p99)} ms`];
  process.stdout.write(`${cells.join('  |  ')}\n`);
  return cells;
}
