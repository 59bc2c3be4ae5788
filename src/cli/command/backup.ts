import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { systemClock, toStamp } from '../../core/clock.ts';
import { packageVersion } from '../../core/file/package-root.ts';
import { findWriteTarget, isStandardOutput } from '../../core/file/write-target.ts';
import type { BackupResult } from '../../database/archive/write.ts';
import {
  createRowProgress,
  type ProjectData,
  readProjectData,
  toBytes,
  toRows,
  UPLOADS,
  withSource,
} from '../archive/project.ts';
import { type CommandSpec, getText, type Invocation, isOn } from '../spec.ts';

export const command: CommandSpec = {
  options: [
    { name: 'out', value: 'file', description: 'file to write', isRequired: true },
    { name: 'no-files', description: `leaves out the uploaded files in ${UPLOADS}` },
  ],
  isWriting: true,
  examples: ['treadle backup --out backup.treadle', 'treadle backup --out /backup/today.treadle --yes'],
  async run(invocation) {
    const { values, cwd, isForced, isDryRun, terminal } = invocation;
    const project = await readProjectData(invocation);
    if (project.tables === undefined) {
      terminal.say(
        'The definitions have problems, so the backup takes the tables as the database has them. See: treadle check',
      );
    }
    const file = resolve(cwd, getText(values, 'out'));
    if (isDryRun) return dryRun(project, file);
    const uploads = join(project.root, UPLOADS);
    const progress = createRowProgress(invocation, 'Backing up');
    giveWay();
    const { writeArchive } = await import('../../database/archive/write.ts');
    const done = await withSource(project, (database) =>
      writeArchive({
        database,
        file,
        isReplacing: isForced,
        wanted: project.tables?.('postgres') ?? [],
        project: project.name,
        version: packageVersion,
        at: toStamp(systemClock.now()),
        uploads: values.files !== false && existsSync(uploads) ? uploads : undefined,
        progress: progress.tell,
      }),
    ).finally(progress.end);
    return toOutcome(invocation, { file, isPrinted: isStandardOutput(await findWriteTarget(file)) }, done);
  },
};

interface BackupTarget {
  readonly file: string;
  /** Whether it is standard output. */
  readonly isPrinted: boolean;
}

/** Lowers the priority, so that a server on the same machine goes first. */
function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Changing the priority may be forbidden; then both have the same priority.
  }
}

async function dryRun(project: ProjectData, file: string) {
  const { describe } = await import('../../database/archive/describe.ts');
  const { countRows, inSnapshot } = await import('../../database/archive/write.ts');
  const counts = await withSource(project, (database) =>
    inSnapshot(database, async () => {
      const { tables } = await describe(database, project.tables?.('postgres') ?? []);
      const found: { table: string; rows: number }[] = [];
      for (const table of tables) found.push({ table: table.name, rows: await countRows(database, table) });
      return found;
    }),
  );
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  return {
    data: { error: false, isDryRun: true, file, tables: counts, rows },
    lines: [`would write ${toRows(rows)} of ${counts.length} tables to ${file}`],
  };
}

function toOutcome({ terminal, values }: Invocation, { file, isPrinted }: BackupTarget, done: BackupResult) {
  const { header, sums, rows, files, bytes } = done;
  for (const what of header.left) terminal.say(`Not included: ${what}.`);
  if (isOn(values, 'no-files') || values.files === false)
    terminal.say(`Not included: the uploaded files in ${UPLOADS}.`);
  terminal.say(terminal.dim('Back up .env too: without its TREADLE_SECRET, encrypted values cannot be read.'));
  const uploads = files === 0 ? '' : ` and ${files} uploaded file${files === 1 ? '' : 's'}`;
  // The archive is the command's whole output there.
  if (isPrinted) return { data: undefined };
  return {
    data: { error: false, file, at: header.at, tables: sums, rows, files, bytes, left: header.left },
    lines: [`wrote ${file}: ${toRows(rows)} of ${sums.length} tables${uploads}, ${toBytes(bytes)}`],
    next: [`treadle restore ${getText(values, 'out')} --dry-run`],
  };
}
