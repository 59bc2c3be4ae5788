import { refuseFailure, withApplication } from '../application.ts';
import { toWords } from '../hook/delivery.ts';
import { RECEIVER_OPTIONS, toReceiverStage } from '../hook/receiver.ts';
import type { CommandSpec } from '../spec.ts';
import { toTable } from '../terminal.ts';

interface Receiver {
  readonly hook: string;
  readonly url: string;
  readonly client_id: string | null;
  readonly state: string;
  readonly failing_since: number | null;
  readonly disabled_at: number | null;
  readonly disabled_reason: string | null;
  readonly last_success_at: number | null;
  readonly queued: number;
  readonly missed: number;
}

export const command: CommandSpec = {
  options: [...RECEIVER_OPTIONS, { name: 'hook', value: 'name', description: 'of this web hook' }],
  examples: ['treadle webhook receivers', 'treadle webhook receivers --app reader --json'],
  async run(invocation) {
    const stage = await toReceiverStage(invocation);
    return withApplication(invocation, async (app) => {
      const answer = await app.emit('webhook-receiver-search', stage);
      refuseFailure(answer);
      const rows = answer.getResults('rows') as Receiver[];
      const off = rows.find(({ state }) => state === 'disabled');
      return {
        data: { rows },
        lines: rows.length === 0 ? ['No web hook has an address, and no app receives one.'] : toLines(rows),
        next: off === undefined ? [] : [`treadle webhook enable ${off.hook} --url ${off.url}`],
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
      row.client_id === null ? row.url : `${row.url} (${row.client_id})`,
      row.disabled_reason ?? (row.failing_since === null ? '' : `failing since ${toWords(row.failing_since)}`),
    ]),
  ]);
}
