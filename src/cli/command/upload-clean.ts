import { getResults, withApplication } from '../application.ts';
import { type CommandSpec, getText } from '../spec.ts';
import { toTable } from '../terminal.ts';

const DAY_SECONDS = 86_400;

interface Orphan {
  readonly address: string;
  readonly bytes: number;
}

interface Count {
  readonly total: number;
  readonly bytes: number;
}

const toText = ({ total, bytes }: Count, noun: string): string =>
  `${total} ${noun}${total === 1 ? '' : 's'}, ${bytes} bytes`;

export const command: CommandSpec = {
  options: [{ name: 'days', value: 'n', description: 'minimum age of a file in days, 0 for all', default: '1' }],
  isWriting: true,
  examples: ['treadle upload clean --dry-run', 'treadle upload clean --days 30'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const older_seconds = Number(getText(values, 'days')) * DAY_SECONDS;
    const stage = { older_seconds, dry_run: isDryRun };
    const results = await withApplication(invocation, (app) =>
      getResults<{ rows: Orphan[]; total: number; bytes: number; drafts: Count }>(app, 'system-upload-clean', stage, {
        older_seconds: '--days',
      }),
    );
    const { rows, total, bytes, drafts } = results;
    const what = toText({ total, bytes }, 'file');
    const left =
      drafts.total === 0
        ? []
        : [`${isDryRun ? 'To remove' : 'Removed'}: ${toText(drafts, 'half-written file')} of killed servers`];
    return {
      data: { error: false, isDryRun, ...results },
      lines:
        total === 0
          ? ['Every uploaded file is in use.', ...left]
          : [
              ...toTable(rows.map(({ address, bytes: size }) => [address, String(size)])),
              `${isDryRun ? 'To remove' : 'Removed'}: ${what}`,
              ...left,
            ],
      next: isDryRun && total + drafts.total > 0 ? ['treadle upload clean'] : [],
    };
  },
};
