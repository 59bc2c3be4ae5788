import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../core/errors.ts';
import { toDidYouMean } from '../core/suggest.ts';
import type { Definitions } from '../model/definitions.ts';
import { type Parsed, parseDefinition, type Source } from '../model/parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind, toFile } from '../model/shape.ts';

export interface ReadProject {
  readonly definitions: Definitions;
  readonly problems: readonly Problem[];
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** The text of a file; undefined if it does not exist. */
async function readText(root: string, file: string): Promise<string | undefined> {
  try {
    return await readFile(join(root, file), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function readFolder(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function toUnreadable(file: string, error: unknown): Problem {
  const { code = 'unknown', message } = error as NodeJS.ErrnoException;
  const isNoFolder = code === 'ENOTDIR';
  return {
    code: 'PROJECT_FILE_UNREADABLE',
    file,
    path: '',
    message: isNoFolder ? 'This must be a folder.' : `This could not be read: ${message.replace(/,.*$/s, '')}.`,
    hint: isNoFolder ? 'Move the file away.' : "Look at the file's permissions.",
  };
}

interface KindRead<K extends DefinitionKind> {
  readonly sources: Map<string, Source<DefinitionOf[K]>>;
  readonly broken: readonly string[];
  readonly problems: readonly Problem[];
}

async function parseFile<K extends FileKind>(root: string, kind: K, file: string): Promise<Parsed<DefinitionOf[K]>> {
  try {
    // A file that vanished after the listing reads as empty: the next reload sees that it is gone.
    return parseDefinition(kind, file, (await readText(root, file)) ?? '');
  } catch (error) {
    return { source: undefined, problems: [toUnreadable(file, error)] };
  }
}

async function readKind<K extends DefinitionKind>(root: string, kind: K): Promise<KindRead<K>> {
  const sources = new Map<string, Source<DefinitionOf[K]>>();
  const broken: string[] = [];
  let entries: string[];
  try {
    entries = await readFolder(join(root, 'config', kind));
  } catch (error) {
    return { sources, broken: [`${kind}/`], problems: [toUnreadable(`config/${kind}`, error)] };
  }
  const names = entries
    .filter((entry) => entry.endsWith('.json') && !entry.startsWith('.'))
    .map((entry) => entry.slice(0, -'.json'.length));
  const parsed = await Promise.all(names.map((name) => parseFile(root, kind, toFile(kind, name))));
  for (const [index, { source }] of parsed.entries()) {
    const name = names[index] as string;
    if (source === undefined) broken.push(`${kind}/${name}`);
    else sources.set(name, source);
  }
  return { sources, broken, problems: parsed.flatMap(({ problems }) => problems) };
}

async function readSettings(root: string): Promise<Parsed<DefinitionOf['settings']>> {
  const file = toFile('settings', 'settings');
  try {
    return parseDefinition('settings', file, (await readText(root, file)) ?? '{}\n');
  } catch (error) {
    return { source: undefined, problems: [toUnreadable(file, error)] };
  }
}

/** Files and folders under `config/` that nothing reads: most likely a mistyped kind. */
async function adviseStrangers(root: string): Promise<Problem[]> {
  const entries = await readFolder(join(root, 'config')).catch(() => []);
  const known = new Set([...DEFINITION_KINDS.map((kind) => `${kind}/`), 'settings.json']);
  return entries
    .filter((entry) => !known.has(entry) && !entry.startsWith('.') && /(?:\/|\.json)$/.test(entry))
    .map((entry) => {
      const name = entry.replace(/\/$/, '');
      const candidates = entry === name ? ['settings.json'] : DEFINITION_KINDS;
      return {
        code: 'PROJECT_CONFIG_UNKNOWN',
        file: `config/${name}`,
        path: '',
        message: `Nothing reads config/${name}.`,
        hint: toDidYouMean(name, candidates),
        severity: 'advice',
      };
    });
}

/** Reads and parses every definition of a project. Missing settings get their defaults. */
export async function readProject(root: string): Promise<ReadProject> {
  const [settings, strangers, schema, fieldset, rest, scope, webhook, app, role] = await Promise.all([
    readSettings(root),
    adviseStrangers(root),
    readKind(root, 'schema'),
    readKind(root, 'fieldset'),
    readKind(root, 'rest'),
    readKind(root, 'scope'),
    readKind(root, 'webhook'),
    readKind(root, 'app'),
    readKind(root, 'role'),
  ]);
  const kinds = [schema, fieldset, rest, scope, webhook, app, role];
  const broken = new Set(kinds.flatMap((kind) => kind.broken));
  if (settings.source === undefined) broken.add('settings');
  const definitions: Definitions = {
    settings: settings.source ?? defaultSettings(),
    schema: schema.sources,
    fieldset: fieldset.sources,
    rest: rest.sources,
    scope: scope.sources,
    webhook: webhook.sources,
    app: app.sources,
    role: role.sources,
    broken,
  };
  return { definitions, problems: [...settings.problems, ...strangers, ...kinds.flatMap((kind) => kind.problems)] };
}

/** The settings of a project without a settings file. */
export function defaultSettings(): Source<DefinitionOf['settings']> {
  const { source } = parseDefinition('settings', toFile('settings', 'settings'), '{}\n');
  if (source === undefined) throw new TypeError('The defaults of the settings do not fit their own shape.');
  return source;
}
