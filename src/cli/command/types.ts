import { resolve } from 'node:path';
import { compilePlan } from '../application.ts';
import { CHECK, writeMadeFile } from '../change/made-file.ts';
import { type CommandSpec, findText } from '../spec.ts';
import { printTypes, TYPES_FILE } from '../types/file.ts';

export const command: CommandSpec = {
  options: [{ name: 'out', value: 'file', description: `file to write. Default: ${TYPES_FILE} of the project` }, CHECK],
  isWriting: true,
  examples: ['treadle types', 'treadle types --check', 'treadle types --out types/rows.d.ts'],
  async run(invocation) {
    const { model, events } = await compilePlan(invocation);
    const out = findText(invocation.values, 'out');
    return writeMadeFile(invocation, {
      file: out === undefined ? resolve(invocation.root(), TYPES_FILE) : resolve(invocation.cwd, out),
      name: out ?? TYPES_FILE,
      text: printTypes(model, events),
      by: `treadle types${out === undefined ? '' : ` --out ${out}`}`,
      data: { schemas: [...model.schemas.keys()].sort() },
    });
  },
};
