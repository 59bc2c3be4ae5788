import { join, resolve } from 'node:path';
import type { Archive } from '../../database/archive/read-archive.ts';
import type { RestoreResult } from '../../database/archive/restore.ts';
import {
  createRowProgress,
  needTables,
  readProjectData,
  toRows,
  toShownUrl,
  UNSERVED,
  UPLOADS,
  withTarget,
} from '../archive/project.ts';
import { EXIT } from '../failure.ts';
import { printApplied } from '../migration/print.ts';
import { type CommandSpec, getText, type Invocation, isOn } from '../spec.ts';
import { refreshPlanner } from '../statistics.ts';

export const command: CommandSpec = {
  arguments: [{ name: 'file', description: 'file that "treadle backup" wrote' }],
  options: [
    { name: 'allow-loss', description: 'deletes the rows that the database has' },
    { name: 'no-migrate', description: 'leaves the tables as they are in the backup' },
    { name: 'no-files', description: `does not restore the uploaded files to ${UPLOADS}` },
  ],
  isWriting: true,
  examples: [
    'treadle restore backup.treadle --dry-run',
    'treadle restore backup.treadle',
    'treadle restore backup.treadle --allow-loss',
  ],
  async run(invocation) {
    const { values, cwd, isDryRun, terminal } = invocation;
    const project = await readProjectData(invocation);
    const tables = values.migrate === false ? undefined : needTables(project);
    const { Archive: Reader } = await import('../../database/archive/read-archive.ts');
    const { restoreArchive } = await import('../../database/archive/restore.ts');
    const archive = await Reader.open(resolve(cwd, getText(values, 'file')));
    const checking = createRowProgress(invocation, 'Checking');
    const loading = createRowProgress(invocation, 'Restoring');
    const { root, url } = project;
    const restored = await withTarget(url, { root, isDryRun }, async (database) => {
      const done = await restoreArchive({
        archive,
        database,
        desired: tables?.(database.dialect),
        allowLoss: isOn(values, 'allow-loss'),
        uploads: values.files === false ? undefined : join(root, UPLOADS),
        isDryRun,
        progress: (stage, told) => (stage === 'check' ? checking : loading).tell(told),
      });
      if (!isDryRun) await refreshPlanner(invocation, database, done.sums);
      return done;
    }).finally(() => terminal.progress(''));
    return toOutcome(invocation, archive, restored, toShownUrl(url));
  },
};

/** Every database that was served has these; a backup counts them, too. */
const UNCOUNTED = " (sessions and Treadle's notes on the database are not counted)";

function toOutcome({ terminal, isDryRun }: Invocation, { header }: Archive, done: RestoreResult, url: string) {
  const { sums, lost, files, applied, refused, verified, served } = done;
  const rows = sums.reduce((sum, table) => sum + table.rows, 0);
  for (const what of header.left) terminal.say(`Not included: ${what}.`);
  const from = `of ${header.project}, ${header.at} UTC, by Treadle ${header.treadle} on ${header.dialect}`;
  const lines = [
    `The backup is complete: ${toRows(rows)} of ${sums.length} tables and ${verified.files} files ${from}.`,
  ];
  if (isDryRun) {
    lines.push(
      lost === 0
        ? `would restore it into ${url}`
        : `would replace ${toRows(lost)} of ${url}, with --allow-loss${UNCOUNTED}`,
    );
  } else {
    lines.push(`restored ${toRows(rows)} into ${url}; counts and checksums agree`);
    if (lost > 0) lines.push(`replaced ${toRows(lost)}${UNCOUNTED}`);
    if (files.written + files.same > 0) lines.push(`restored ${files.written} files, ${files.same} already existed`);
    lines.push(...printApplied(applied));
    if (served === undefined) terminal.say(UNSERVED);
  }
  for (const { words, refusal } of refused)
    terminal.say(`The definitions need more: ${words} ${refusal?.message ?? ''}`);
  return {
    data: { error: false, isDryRun, at: header.at, tables: sums, rows, lost, files, applied, refused },
    lines,
    next: isDryRun ? [] : refused.length > 0 ? ['treadle migrate --dry-run'] : ['treadle doctor', 'treadle start'],
    exitCode: EXIT.done,
  };
}
