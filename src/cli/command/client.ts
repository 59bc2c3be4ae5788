import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeFileAtomically } from '../../project/write.ts';
import { compilePlan } from '../application.ts';
import { printClientFile } from '../client-file/file.ts';
import { EXIT } from '../failure.ts';
import { type CommandSpec, getText, isOn } from '../spec.ts';

export const command: CommandSpec = {
  options: [
    { name: 'out', value: 'file', description: 'TypeScript file to write', isRequired: true },
    { name: 'check', description: 'writes nothing; exits with 2 if the file is out of date' },
  ],
  isWriting: true,
  examples: ['treadle client --out src/api.ts', 'treadle client --out src/api.ts --check'],
  async run(invocation) {
    const { values, isDryRun } = invocation;
    const plan = await compilePlan(invocation);
    const { describeApi } = await import('../../boot.ts');
    const out = getText(values, 'out');
    const file = resolve(invocation.cwd, out);
    const text = printClientFile(describeApi(plan), plan.model.settings.server.baseUrl ?? undefined);
    const isUpToDate = (await readFile(file, 'utf8').catch(() => undefined)) === text;
    const isChecking = isOn(values, 'check');
    const isWritten = !isUpToDate && !isChecking && !isDryRun;
    if (isWritten) await writeFileAtomically(file, text);
    const verb = isChecking ? 'out of date:' : isDryRun ? 'would write' : 'wrote';
    return {
      data: { file, calls: plan.calls.map(({ name }) => name).sort(), isUpToDate, isWritten },
      lines: [isUpToDate ? `${out} is up to date.` : `${verb} ${out}`],
      next: isChecking || isDryRun ? [] : [`treadle client --out ${out} --check`],
      exitCode: isChecking && !isUpToDate ? EXIT.differs : EXIT.done,
    };
  },
};
