// A process of the site that webhook-kill.mjs kills: it writes at a steady rate, and delivers like every process.
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/boot.ts';
import { silentLog } from '../../src/core/log/log.ts';
import { createDice } from './_migration-world.mjs';

/** Share of writes that are rolled back. */
const ROLLED_BACK = 0.1;

const stageOf = (name, number, lanes) => ({
  schema: 'ledger',
  ledger_name: name,
  ledger_lane: `lane${number % lanes}`,
});

const order = await new Promise((done) => process.once('message', done));
const dice = createDice(order.seed);
const app = await createApp({ root: order.root, mode: 'production', env: order.env, log: silentLog });
process.send({ isReady: true });
process.on('disconnect', () => process.exit(0));
const { database } = app.services;
const state = { number: 0, isWriting: order.isWriting, isTold: false };
process.on('message', ({ stop }) => {
  if (stop) state.isWriting = false;
});
const write = async (number) => {
  const name = `${order.cycle}-${number}`;
  if (!dice.chance(ROLLED_BACK)) {
    const response = await app.emit('system-model-create', stageOf(name, number, order.lanes));
    if (response.isError()) throw new Error(response.getMessage());
    return;
  }
  // The event's row is written, and rolled back with the transaction.
  await database.transaction(async () => {
    const response = await app.emit('system-model-create', stageOf(`undone-${name}`, number, order.lanes));
    if (response.isError()) throw new Error(response.getMessage());
    throw new Error('undone');
  });
};
/** A planned rollback is ignored; any other error is reported once. */
const tell = (error) => {
  if (error.message === 'undone' || state.isTold) return;
  state.isTold = true;
  process.stderr.write(`webhook-kill, process ${order.cycle}: ${error.stack}\n`);
};
const begun = performance.now();
// One after the other, up to the requested rate: a busy machine writes fewer.
while (state.isWriting) {
  state.number += 1;
  await write(state.number).catch(tell);
  await pause(Math.max(0, (state.number * 1000) / order.rate - (performance.now() - begun)));
}
