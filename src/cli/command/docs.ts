import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { writeFileAtomically } from '../../project/write.ts';
import { compilePlan } from '../application.ts';
import { EXIT } from '../failure.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';

/** Lists what was written, so that a page that is gone is removed, and a file that is not ours never. */
const LIST = '.treadle-docs.json';

export const command: CommandSpec = {
  options: [
    { name: 'out', value: 'dir', description: 'folder of the pages', isRequired: true },
    { name: 'check', description: 'writes nothing; exits with 2 where the pages are out of date' },
  ],
  isWriting: true,
  examples: ['treadle docs --out docs', 'treadle docs --out docs --check'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const plan = await compilePlan(invocation);
    const { renderDocs } = await import('../../boot.ts');
    const folder = resolve(invocation.cwd, getText(values, 'out'));
    const pages = renderDocs(plan);
    const wanted = new Map([...pages, [LIST, `${JSON.stringify([...pages.keys()].sort(), null, 2)}\n`]]);
    const { changed, removed } = await compare(folder, wanted);
    const isChecking = isOn(values, 'check');
    if (!isChecking && !isDryRun) {
      for (const file of changed) await writeFileAtomically(join(folder, file), wanted.get(file) ?? '');
      for (const file of removed) await rm(join(folder, file), { force: true });
    }
    const isSame = changed.length + removed.length === 0;
    const verb = isChecking ? 'out of date: ' : isDryRun ? 'would write ' : 'wrote ';
    const lines = [
      ...changed.map((file) => `${verb}${file}`),
      ...removed.map((file) => `${isChecking ? verb : 'removed '}${file}`),
    ];
    return {
      data: { folder, pages: [...pages.keys()].sort(), changed, removed, isUpToDate: isSame },
      lines: isSame ? ['The docs are up to date.'] : lines,
      next: isChecking || isDryRun ? [] : [`treadle docs --out ${getText(values, 'out')} --check`],
      exitCode: isChecking && !isSame ? EXIT.differs : EXIT.done,
    };
  },
};

interface Difference {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

async function compare(folder: string, wanted: ReadonlyMap<string, string>): Promise<Difference> {
  const there = await listFiles(folder);
  const changed: string[] = [];
  for (const [file, text] of wanted) {
    if (!there.has(file) || (await readFile(join(folder, file), 'utf8')) !== text) changed.push(file);
  }
  const before = there.has(LIST) ? (JSON.parse(await readFile(join(folder, LIST), 'utf8')) as unknown[]) : [];
  const removed = before.map(String).filter((file) => !wanted.has(file) && there.has(file));
  return { changed: changed.sort(), removed: removed.sort() };
}

async function listFiles(folder: string): Promise<Set<string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Set(files.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')));
}
