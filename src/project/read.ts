import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Problem, readCode, readMessage } from '../core/errors.ts';
import { toDidYouMean } from '../core/text/suggest.ts';
import type { Definitions } from '../model/definitions.ts';
import { toRecord } from '../model/json/json-parts.ts';
import { type ParseResult, parseDefinition, type Source } from '../model/parse.ts';
import { DEFINITION_KINDS, type DefinitionKind, type DefinitionOf, type FileKind, toFile } from '../model/shape.ts';
import { finishPending } from './pending-write.ts';

export interface ReadProject {
  readonly definitions: Definitions;
  readonly problems: readonly Problem[];
}

const isMissing = (error: unknown): boolean => readCode(error) === 'ENOENT';

/** The text of a file; undefined if it does not exist. Not asynchronous, which costs ten times as much for small files. */
function readText(root: string, file: string): string | undefined {
  try {
    return readFileSync(join(root, file), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Not asynchronous, as {@link readText}. */
function readFolder(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function toUnreadable(file: string, error: unknown): Problem {
  const isNoFolder = readCode(error) === 'ENOTDIR';
  return {
    code: 'PROJECT_FILE_UNREADABLE',
    file,
    path: '',
    message: isNoFolder
      ? 'This must be a folder.'
      : `This could not be read: ${readMessage(error).replace(/,.*$/s, '')}.`,
    hint: isNoFolder ? 'Move the file away.' : "Look at the file's permissions.",
  };
}

/** What files gave when they were last parsed: a file with the same text is not parsed again. */
export type ParsedFiles = Map<string, { readonly text: string; readonly parsed: ParseResult<unknown> }>;

/** As {@link parseDefinition}, once for each text. */
function parseOnce<K extends FileKind>(
  kind: K,
  { file, text }: { readonly file: string; readonly text: string },
  known: ParsedFiles | undefined,
): ParseResult<DefinitionOf[K]> {
  const there = known?.get(file);
  if (there?.text === text) return there.parsed as ParseResult<DefinitionOf[K]>;
  const parsed = parseDefinition(kind, file, text);
  known?.set(file, { text, parsed });
  return parsed;
}

interface ReadOptions {
  readonly root: string;
  readonly known: ParsedFiles | undefined;
}

interface KindRead<K extends DefinitionKind> {
  readonly sources: Map<string, Source<DefinitionOf[K]>>;
  readonly broken: readonly string[];
  readonly problems: readonly Problem[];
  readonly files: readonly string[];
}

function parseFile<K extends FileKind>(
  { root, known }: ReadOptions,
  kind: K,
  file: string,
): ParseResult<DefinitionOf[K]> {
  try {
    // A file that vanished after the listing reads as empty: the next reload sees that it is gone.
    return parseOnce(kind, { file, text: readText(root, file) ?? '' }, known);
  } catch (error) {
    return { source: undefined, problems: [toUnreadable(file, error)] };
  }
}

function readKind<K extends DefinitionKind>(reading: ReadOptions, kind: K): KindRead<K> {
  const sources = new Map<string, Source<DefinitionOf[K]>>();
  const broken: string[] = [];
  let entries: string[];
  try {
    entries = readFolder(join(reading.root, 'config', kind));
  } catch (error) {
    return { sources, broken: [`${kind}/`], problems: [toUnreadable(`config/${kind}`, error)], files: [] };
  }
  const names = entries
    .filter((entry) => entry.endsWith('.json') && !entry.startsWith('.'))
    .map((entry) => entry.slice(0, -'.json'.length));
  const problems: Problem[] = [];
  for (const name of names) {
    const parsed = parseFile(reading, kind, toFile(kind, name));
    if (parsed.source === undefined) broken.push(`${kind}/${name}`);
    else sources.set(name, parsed.source);
    problems.push(...parsed.problems);
  }
  return { sources, broken, problems, files: names.map((name) => toFile(kind, name)) };
}

function readSettings({ root, known }: ReadOptions): ParseResult<DefinitionOf['settings']> {
  const file = toFile('settings', 'settings');
  try {
    return parseOnce('settings', { file, text: readText(root, file) ?? '{}\n' }, known);
  } catch (error) {
    return { source: undefined, problems: [toUnreadable(file, error)] };
  }
}

function listConfig(root: string): string[] {
  try {
    return readFolder(join(root, 'config'));
  } catch {
    return [];
  }
}

/** Files and folders under `config/` that nothing reads: most likely a mistyped kind. */
function adviseStrangers(root: string): Problem[] {
  const entries = listConfig(root);
  const known = new Set([...DEFINITION_KINDS.map((kind) => `${kind}/`), 'settings.json', 'migration/', 'locale/']);
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

/**
 * Reads and parses every definition of a project, after finishing writes that a killed process left half done. Missing settings get their defaults.
 *
 * @param known What the last reading parsed; updated.
 */
export async function readProject(root: string, known?: ParsedFiles): Promise<ReadProject> {
  await finishPending(root);
  const reading: ReadOptions = { root, known };
  const settings = readSettings(reading);
  const strangers = adviseStrangers(root);
  const schema = readKind(reading, 'schema');
  const fieldset = readKind(reading, 'fieldset');
  const rest = readKind(reading, 'rest');
  const scope = readKind(reading, 'scope');
  const webhook = readKind(reading, 'webhook');
  const app = readKind(reading, 'app');
  const role = readKind(reading, 'role');
  const kinds = [schema, fieldset, rest, scope, webhook, app, role];
  if (known) forgetOthers(known, kinds);
  const broken = new Set(kinds.flatMap((kind) => kind.broken));
  if (settings.source === undefined) broken.add('settings');
  const version = readVersion(root);
  const definitions: Definitions = {
    ...(version === undefined ? {} : { version }),
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

/** `version` of a project's package.json. Whatever is wrong with that file is npm's to say. */
function readVersion(root: string): string | undefined {
  try {
    const { version } = toRecord(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
    return typeof version === 'string' && version !== '' ? version : undefined;
  } catch {
    return undefined;
  }
}

function forgetOthers(known: ParsedFiles, kinds: readonly KindRead<DefinitionKind>[]): void {
  const files = new Set(kinds.flatMap(({ files: own }) => own));
  for (const file of known.keys()) if (!files.has(file) && file !== toFile('settings', 'settings')) known.delete(file);
}

/** The settings of a project without a settings file. */
export function defaultSettings(): Source<DefinitionOf['settings']> {
  const { source } = parseDefinition('settings', toFile('settings', 'settings'), '{}\n');
  if (source === undefined) throw new TypeError('The defaults of the settings do not fit their own shape.');
  return source;
}
