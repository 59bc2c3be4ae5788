import { refuseFailure, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';

const DAY_SECONDS = 86_400;

interface Orphan {
  readonly address: string;
  readonly bytes: number;
}

export const command: CommandSpec = {
  options: [{ name: 'days', value: 'n', description: 'minimum age of a file in days, 0 for all', default: '1' }],
  isWriting: true,
  examples: ['treadle upload clean --dry-run', 'treadle upload clean --days 30'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const older_seconds = Number(getText(values, 'days')) * DAY_SECONDS;
    const results = await withApplication(invocation, async (app) => {
      const response = await app.emit('system-upload-clean', { older_seconds, dry_run: isDryRun });
      refuseFailure(response, { older_seconds: '--days' });
      return response.getResults() as { rows: Orphan[]; total: number; bytes: number };
    });
    const { rows, total, bytes } = results;
    const what = `${total} file${total === 1 ? '' : 's'}, ${bytes} bytes`;
    return {
      data: { error: false, isDryRun, ...results },
      lines:
        total === 0
          ? ['Every uploaded file is in use.']
          : [
              ...toTable(rows.map(({ address, bytes: size }) => [address, String(size)])),
              `${isDryRun ? 'To remove' : 'Removed'}: ${what}`,
            ],
      next: isDryRun && total > 0 ? ['treadle upload clean'] : [],
    };
  },
};
