import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../project/write.ts';
import { compilePlan } from '../application.ts';
import { EXIT } from '../failure.ts';
import { type CommandSpec, findText, isOn } from '../spec.ts';
import { printTypes, TYPES_FILE } from '../types/file.ts';

export const command: CommandSpec = {
  options: [
    { name: 'out', value: 'file', description: `file to write. Default: ${TYPES_FILE} of the project` },
    { name: 'check', description: 'writes nothing; exits with 2 if the file is out of date' },
  ],
  isWriting: true,
  examples: ['treadle types', 'treadle types --check', 'treadle types --out types/rows.d.ts'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const { model } = await compilePlan(invocation);
    const out = findText(values, 'out');
    const name = out ?? TYPES_FILE;
    const file = out === undefined ? resolve(invocation.root(), TYPES_FILE) : resolve(invocation.cwd, out);
    const text = printTypes(model);
    const isSame = (await readOptional(file)) === text;
    const isChecking = isOn(values, 'check');
    if (!isSame && !isChecking && !isDryRun) await writeFileAtomically(file, text);
    const verb = isChecking ? 'out of date:' : isDryRun ? 'would write' : 'wrote';
    const flag = out === undefined ? '' : ` --out ${out}`;
    return {
      data: {
        file,
        schemas: [...model.schemas.keys()].sort(),
        isUpToDate: isSame,
        isWritten: !isSame && verb === 'wrote',
      },
      lines: [isSame ? `${name} is up to date.` : `${verb} ${name}`],
      next: isChecking || isDryRun ? (isSame ? [] : [`treadle types${flag}`]) : [`treadle types${flag} --check`],
      exitCode: isChecking && !isSame ? EXIT.differs : EXIT.done,
    };
  },
};

/** A file's text; undefined where it is not there. */
async function readOptional(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
