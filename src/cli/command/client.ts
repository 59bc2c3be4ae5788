import { resolve } from 'node:path';
import { compilePlan } from '../application.ts';
import { CHECK, writeMadeFile } from '../change/made-file.ts';
import { printClientFile } from '../client-file/file.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const command: CommandSpec = {
  options: [{ name: 'out', value: 'file', description: 'TypeScript file to write', isRequired: true }, CHECK],
  isWriting: true,
  examples: ['treadle client --out src/api.ts', 'treadle client --out src/api.ts --check'],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const { describeApi } = await import('../../boot.ts');
    const out = getText(invocation.values, 'out');
    return writeMadeFile(invocation, {
      file: resolve(invocation.cwd, out),
      name: out,
      text: printClientFile(describeApi(plan), plan.model.settings.server.baseUrl ?? undefined),
      by: `treadle client --out ${out}`,
      data: { calls: plan.calls.map(({ name }) => name).sort() },
    });
  },
};
