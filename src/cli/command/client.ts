import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { Json } from '../../model/json/value-schema.ts';
import { ACCESS, type Access } from '../../model/shape.ts';
import { compilePlan } from '../application.ts';
import { CHECK, writeMadeFile, writeMadeFolder } from '../change/made-file.ts';
import { createUsageError } from '../failure.ts';
import { type CommandSpec, getChoice, getText } from '../spec.ts';

const TARGETS = ['typescript', 'python', 'react-admin', 'refine'] as const;
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
      description: 'what to write: a client, or the data provider of a front end',
      choices: TARGETS,
      default: 'typescript',
    },
    {
      name: 'access',
      value: 'access',
      description: 'whose calls a data provider uses',
      choices: ACCESS,
      default: 'user',
    },
    CHECK,
  ],
  isWriting: true,
  examples: [
    'treadle client --out src/api.ts',
    'treadle client --out packages/api',
    'treadle client --out src/api.ts --check',
    'treadle client --out clients/python --target python',
    'treadle client --out src/data-provider.ts --target react-admin',
  ],
  async run(invocation) {
    const plan = await compilePlan(invocation);
    const { describeApi } = await import('../../boot.ts');
    const out = getText(invocation.values, 'out');
    const target = getChoice(invocation.values, 'target', TARGETS);
    const path = resolve(invocation.cwd, out);
    const source = {
      document: describeApi(plan),
      baseUrl: plan.model.settings.server.baseUrl ?? undefined,
      access: getChoice(invocation.values, 'access', ACCESS),
      target,
    };
    const made = {
      name: out,
      by: toCommandLine(out, source),
      data: { target, calls: plan.calls.map(({ name }) => name).sort() },
    };
    // A Python package is a folder, whatever its name looks like.
    if (target !== 'python' && (await isFile(path)))
      return writeMadeFile(invocation, { ...made, file: path, text: await printOne(target, source) });
    // A package has a package.json and a README.md of its own.
    if ((target === 'typescript' || target === 'python') && path === resolve(invocation.root()))
      throw createUsageError(
        '--out is the folder of the project itself, whose files the client would replace.',
        'Name a folder for the client, such as packages/api.',
      );
    return writeMadeFolder(invocation, { ...made, folder: path, files: await printAll(source) });
  },
};

interface ClientSource {
  readonly document: Json;
  readonly baseUrl: string | undefined;
  readonly access: Access;
  readonly target: Target;
}

function toCommandLine(out: string, { target, access }: ClientSource): string {
  const more = target === 'typescript' ? '' : ` --target ${target}${access === 'user' ? '' : ` --access ${access}`}`;
  return `treadle client --out ${out}${more}`;
}

/** True for a path with an extension, a device, a pipe, and a file that is there. */
async function isFile(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there === undefined ? extname(path) !== '' : !there.isDirectory();
}

async function printOne(
  target: Exclude<Target, 'python'>,
  { document, baseUrl, access }: ClientSource,
): Promise<string> {
  if (target === 'typescript') {
    const { printClientFile } = await import('../client-file/file.ts');
    return printClientFile(document, baseUrl);
  }
  const { printProvider } = await import('../client-file/provider.ts');
  return printProvider(document, target, access, baseUrl);
}

async function printAll(source: ClientSource): Promise<Map<string, string>> {
  if (source.target === 'python') {
    const { printPythonPackage } = await import('../client-file/python/package.ts');
    return printPythonPackage(source.document, source.baseUrl);
  }
  if (source.target !== 'typescript') return new Map([['data-provider.ts', await printOne(source.target, source)]]);
  const { printClientPackage } = await import('../client-file/package.ts');
  return printClientPackage(source.document, source.baseUrl);
}
