// The neighbour: a separate process that sends cheap requests at a steady rate, so that the attacker's load does not
// affect its clock. Started by _neighbour.mjs. A late answer counts once for each interval that it missed: a stop of
// a second is fifty slow reads, as for fifty visitors, and not one.
import { Agent, request } from 'node:http';
import process from 'node:process';

const state = { phase: 'idle', isOver: false };
// Listens from the start, because earlier messages would be lost.
const order = await new Promise((done) =>
  process.on('message', (message) => {
    if (message.url !== undefined) done(message);
    else if (message.phase === 'over') state.isOver = true;
    else state.phase = message.phase;
  }),
);
process.send({ isReady: true });
const beat = order.everyMs;
const kept = new Agent({ keepAlive: true, maxSockets: 1 });
const samples = {};

function ask(kind) {
  const begun = performance.now();
  return new Promise((done) => {
    const isOver = (status) => done({ status, took: performance.now() - begun });
    const call = request(
      order.url + kind.path,
      {
        agent: order.fresh ? false : kept,
        headers: order.headers,
        localAddress: order.localAddress,
        timeout: order.timeoutMs,
      },
      (answer) => answer.resume().on('close', () => isOver(answer.complete ? answer.statusCode : 0)),
    );
    call.on('timeout', () => call.destroy());
    call.on('error', () => isOver(0));
    call.end();
  });
}

function note(kind, phase, { status, took }) {
  samples[phase] ??= {};
  samples[phase][kind.name] ??= { took: [], statuses: {}, longest: 0 };
  const mine = samples[phase][kind.name];
  mine.statuses[status] = (mine.statuses[status] ?? 0) + 1;
  for (let left = took; left > 0; left -= beat) mine.took.push(left);
}

async function watch(kind) {
  for (let next = performance.now(); !state.isOver; ) {
    // A request that began before the attack and ended during it was delayed by it.
    const answer = await ask(kind);
    note(kind, state.phase, answer);
    next = Math.max(next + beat, performance.now());
    await new Promise((done) => setTimeout(done, next - performance.now()));
  }
}

function sum({ took, statuses }) {
  const sorted = Float64Array.from(took).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  const round = (value) => Math.round(value * 10) / 10;
  return { p50: round(at(0.5)), p99: round(at(0.99)), max: round(at(1)), beats: sorted.length, statuses };
}

process.on('disconnect', () => process.exit());
await Promise.all(order.kinds.map(watch));
const sums = Object.entries(samples).map(([phase, kinds]) => [
  phase,
  Object.fromEntries(Object.entries(kinds).map(([name, found]) => [name, sum(found)])),
]);
process.send({ sums: Object.fromEntries(sums) }, () => process.exit());
