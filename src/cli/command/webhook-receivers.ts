import { withApplication } from '../application.ts';
import { toQuoted } from '../complete.ts';
import { toShort, toWords } from '../hook/delivery.ts';
import { refuseUnknown } from '../hook/filter.ts';
import { findReceivers, RECEIVER_OPTIONS, type Receiver, readReceiverStage, toReceiverText } from '../hook/receiver.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

const NONE = 'No web hook has a URL, and no app receives one.';
const NONE_SUCH = 'No receivers: the hook has no URL, and no app lists it.';

const OPTIONS = [...RECEIVER_OPTIONS, { name: 'hook', value: 'name', description: 'of this web hook' }];

export const command: CommandSpec = {
  options: OPTIONS,
  examples: ['treadle webhook receivers', 'treadle webhook receivers --app reader --json'],
  async run(invocation) {
    const stage = await readReceiverStage(invocation, OPTIONS);
    return withApplication(invocation, async (app) => {
      await refuseUnknown(app, stage);
      const rows = await findReceivers(app, stage);
      const off = rows.find(({ state }) => state === 'disabled');
      const waiting = rows.find(({ state }) => state === 'waiting');
      return {
        data: { rows },
        lines: rows.length === 0 ? [Object.keys(stage).length === 0 ? NONE : NONE_SUCH] : toLines(rows),
        next: [
          ...(off === undefined ? [] : [`treadle webhook enable ${off.hook} --url ${toQuoted(off.url)}`]),
          ...(waiting === undefined ? [] : [`treadle app approve ${waiting.client_id} --hook ${waiting.hook}`]),
        ],
      };
    });
  },
};

function toLines(rows: readonly Receiver[]): string[] {
  const head = ['hook', 'state', 'last success', 'queued', 'missed', 'sent to', 'why'];
  return toTable([
    head,
    ...rows.map((row) => [
      row.hook,
      row.state,
      toWords(row.last_success_at) || 'never',
      String(row.queued),
      String(row.missed),
      toReceiverText(row),
      toReason(row),
    ]),
  ]);
}

/** Why nothing arrives there; empty where nothing is known against it. */
function toReason({ waiting, disabled_reason: reason, ...row }: Receiver): string {
  const last = row.last_status ?? row.last_error;
  const failing = `failing since ${toWords(row.failing_since)}${last === null ? '' : `, last: ${toShort(String(last))}`}`;
  const why = reason ?? (row.failing_since === null ? '' : failing);
  return [...(waiting ? ['the app waits for approval'] : []), ...(why === '' ? [] : [why])].join('; ');
}
