import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Json } from '../../model/json/value-schema.ts';
import { compilePlan } from '../application.ts';
import { CHECK, writeMadeFile, writeMadeFolder } from '../change/made-file.ts';
import { type CommandSpec, getChoice, getText } from '../spec.ts';

const TARGETS = ['typescript'] as const;
type Target = (typeof TARGETS)[number];

export const command: CommandSpec = {
  options: [
    {
      name: 'out',
      value: 'path',
      description: 'folder of the package, or one TypeScript file to write',
      isRequired: true,
    },
    {
      name: 'target',
      value: 'target',
      description: 'what to write',
      choices: TARGETS,
      default: 'typescript',
    },
    CHECK,
  ],
  isWriting: true,
  examples: [
    'treadle client --out src/api.ts',
    'treadle client --out packages/api',
    'treadle client --out src/api.ts --check',
  ],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const { describeApi } = await import('../../boot.ts');
    const out = getText(invocation.values, 'out');
    const target = getChoice(invocation.values, 'target', TARGETS);
    const path = resolve(invocation.cwd, out);
    const source = { document: describeApi(plan), baseUrl: plan.model.settings.server.baseUrl ?? undefined };
    const made = {
      name: out,
      by: `treadle client --out ${out}${target === 'typescript' ? '' : ` --target ${target}`}`,
      data: { target, calls: plan.calls.map(({ name }) => name).sort() },
    };
    if (await isFile(path))
      return writeMadeFile(invocation, { ...made, file: path, text: await printOne(target, source) });
    return writeMadeFolder(invocation, { ...made, folder: path, files: await printAll(target, source) });
  },
};

interface ClientSource {
  readonly document: Json;
  readonly baseUrl: string | undefined;
}

/** True for a path with an extension, a device, a pipe, and a file that is there. */
async function isFile(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there === undefined ? extname(path) !== '' : !there.isDirectory();
}

async function printOne(target: Target, { document, baseUrl }: ClientSource): Promise<string> {
  const { printClientFile } = await import('../client-file/file.ts');
  return printClientFile(document, baseUrl);
}

async function printAll(target: Target, { document, baseUrl }: ClientSource): Promise<Map<string, string>> {
  const { printClientPackage } = await import('../client-file/package.ts');
  return printClientPackage(document, baseUrl);
}
