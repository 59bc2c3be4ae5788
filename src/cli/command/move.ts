import { TreadleError } from '../../core/errors.ts';
import type { MoveResult } from '../../database/archive/move.ts';
import { findDatabaseFile } from '../../database/file.ts';
import {
  createRowProgress,
  needTables,
  readProjectData,
  toRows,
  toShownUrl,
  UNSERVED,
  withSource,
  withTarget,
} from '../archive/project.ts';
import { createUsageError } from '../failure.ts';
import { printApplied } from '../migration/print.ts';
import { findServer } from '../running.ts';
import { type CommandSpec, getText, type Invocation, isOn } from '../spec.ts';
import { refreshPlanner } from '../statistics.ts';

export const command: CommandSpec = {
  options: [
    {
      name: 'to',
      value: 'url',
      description: 'target database, such as postgres://user@host/name',
      isRequired: true,
    },
    { name: 'allow-loss', description: 'deletes the rows of the target database' },
    {
      name: 'allow-changes',
      description: 'moves even if a server runs or rows change meanwhile; those changes are not moved',
    },
  ],
  isWriting: true,
  examples: ['treadle move --to postgres://user@host/name --dry-run', 'treadle move --to sqlite:var/app.db'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const project = await readProjectData(invocation);
    const tables = needTables(project);
    const to = getText(values, 'to');
    checkUrls(project.url, to, project.root);
    if (!isDryRun && !isOn(values, 'allow-changes')) await refuseWhileServed(project.root);
    const { moveRows } = await import('../../database/archive/move.ts');
    const progress = createRowProgress(invocation, 'Moving');
    const { root } = project;
    const moved = await withSource(project, (from) =>
      withTarget(to, { root, isDryRun }, async (target) => {
        const done = await moveRows({
          from,
          to: target,
          wanted: tables('postgres'),
          desired: tables(target.dialect),
          allowLoss: isOn(values, 'allow-loss'),
          allowChanges: isOn(values, 'allow-changes'),
          isDryRun,
          progress: progress.tell,
        });
        if (!isDryRun) await refreshPlanner(invocation, target, done.sums);
        return done;
      }),
    ).finally(progress.end);
    return toOutcome(invocation, moved, { from: toShownUrl(project.url), to: toShownUrl(to) });
  },
};

function checkUrls(from: string, to: string, root: string): void {
  if (!/^(sqlite:.|postgres(ql)?:\/\/)/i.test(to)) {
    throw createUsageError(
      '--to must be a database URL.',
      'Write sqlite:<file> or postgres://user:password@host/name.',
    );
  }
  const [old, fresh] = [findDatabaseFile(from, root), findDatabaseFile(to, root)];
  if (from !== to && (old === undefined || old !== fresh)) return;
  throw createUsageError('--to is the database that the project already uses.', 'Name another one.');
}

/** A server would go on writing to the old database. @throws ARCHIVE_SOURCE_SERVED */
async function refuseWhileServed(root: string): Promise<void> {
  const server = await findServer(root);
  if (server === undefined) return;
  const message = `"${server.command}" serves this project at ${server.url}: what people write there stays in the old database.`;
  throw new TreadleError('ARCHIVE_SOURCE_SERVED', message, {
    status: 409,
    hint: 'Nothing was moved. Stop the server and move again; --allow-changes moves anyway, without later changes.',
  });
}

function toOutcome(
  { terminal, isDryRun }: Invocation,
  moved: MoveResult,
  urls: { readonly from: string; readonly to: string },
) {
  const { sums, lost, applied, refused, left, changed, served } = moved;
  const rows = sums.reduce((sum, table) => sum + table.rows, 0);
  for (const what of left) terminal.say(`Not moved: ${what}.`);
  for (const table of changed) terminal.say(`Changed during the move and not moved: rows of ${table}.`);
  for (const { words, refusal } of refused)
    terminal.say(`The definitions need more: ${words} ${refusal?.message ?? ''}`);
  const counts = sums.map((sum) => `  ${sum.table}: ${toRows(sum.rows)}`);
  const what = `${toRows(rows)} of ${sums.length} tables from ${urls.from} to ${urls.to}`;
  if (isDryRun) {
    const loss = lost === 0 ? [] : [`would replace ${toRows(lost)} of the target, with --allow-loss`];
    return {
      data: { error: false, isDryRun, tables: sums, rows, lost, left },
      lines: [`would move ${what}`, ...counts, ...loss],
    };
  }
  if (served === undefined) terminal.say(UNSERVED);
  terminal.say('Set DATABASE_URL before you start the server again. Later writes to the old database are not moved.');
  return {
    data: { error: false, isDryRun, tables: sums, rows, lost, left, changed, applied, refused },
    lines: [
      `moved ${what}; counts and checksums agree`,
      ...printApplied(applied),
      `Set DATABASE_URL=${urls.to} in .env; the uploaded files stay where they are.`,
    ],
    next: ['treadle doctor', 'treadle start'],
  };
}
