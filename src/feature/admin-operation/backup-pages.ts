import { requireProof } from '../../access/proof.ts';
import { toStamp } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { translate } from '../../core/text/translate.ts';
import type { Row } from '../../database/row-statement.ts';
import { createRoute, type Exchange, flash } from '../../page/exchange.ts';
import { toSizeText } from '../../page/format.ts';
import { showPage } from '../../page/frame.ts';
import type { Context, RouteContribution, Worker } from '../../plan/feature.ts';
import type { BackupFile } from '../../plan/operation.ts';

const PATH = '/admin/backup';

const toView = ({ name, bytes, at }: BackupFile): Row => ({ name, size: toSizeText(bytes), at: toStamp(at) });

async function showBackups(context: Context, exchange: Exchange): Promise<void> {
  const { backups } = context.services.operation;
  const [files, progress] = await Promise.all([backups.list(), backups.progress()]);
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('Backups'),
    template: 'admin/run/backup',
    data: {
      backups: files.map(toView),
      isRunning: progress !== undefined,
      progress: progress === undefined ? undefined : toSizeText(progress),
      fault: progress === undefined ? backups.fault : undefined,
      example: files[0]?.name ?? '2026-01-02-030405.treadle',
    },
  });
}

async function makeBackup(context: Context, exchange: Exchange): Promise<void> {
  try {
    await context.services.operation.backups.begin();
    flash(exchange, translate('The backup has begun. It appears below when it is complete.'));
  } catch (error) {
    if (!(error instanceof TreadleError)) throw error;
    flash(exchange, [error.message, error.hint].filter(Boolean).join(' '), 'error');
  }
  exchange.response.setRedirect(PATH);
}

const readName = ({ request }: Exchange): string => String(request.getParameters('name'));

/** A backup has every row, secrets included: who fetches it confirms who they are. */
async function downloadBackup(context: Context, exchange: Exchange): Promise<void> {
  const file = await context.services.operation.backups.find(readName(exchange));
  // Without a stream the answer is 404.
  if (file === undefined || !requireProof(context, exchange)) return;
  exchange.response
    .addHeader('content-type', 'application/gzip')
    .addHeader('content-disposition', `attachment; filename="${file.name}"`)
    .addHeader('cache-control', 'no-store')
    .setStream({ stream: file.read(), bytes: file.bytes });
}

async function removeBackup(context: Context, exchange: Exchange): Promise<void> {
  const name = readName(exchange);
  const isRemoved = await context.services.operation.backups.remove(name);
  if (isRemoved) flash(exchange, translate('{name} was removed.', { name }));
  else flash(exchange, translate('There is no backup {name} any more.', { name }), 'error');
  exchange.response.setRedirect(PATH);
}

/** Pages of the backups in `var/backup`. */
export const backupRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'Lists backups in the admin section.', showBackups),
  createRoute('POST', `${PATH}/create`, 'Begins a backup of all rows and uploads.', makeBackup),
  createRoute(
    'GET',
    `${PATH}/download/:name`,
    'Sends a backup, once the user has confirmed who they are.',
    downloadBackup,
  ),
  createRoute('POST', `${PATH}/remove/:name`, 'Removes a backup.', removeBackup),
];

/** The end of the process does not wait for a backup: what was written of it is removed. */
export const createBackupWorker = ({ services }: Context): Worker => ({
  async stop() {},
  wake() {},
  hurry: () => services.operation.backups.abandon(),
});
