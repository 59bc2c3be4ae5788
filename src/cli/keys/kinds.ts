import { toDidYouMean } from '../../core/text/suggest.ts';
import { EXCLUDE_SAMPLE, parseExcludeText, printExclude } from '../../model/filter/exclude-text.ts';
import { INDEX_SAMPLE, parseIndexText, printIndex } from '../../model/filter/index-text.ts';
import { getRelationForm } from '../../model/form/field.ts';
import { FORMS } from '../../model/form/forms.ts';
import { listFormKeys } from '../../model/form/key.ts';
import { type DefinitionKind, Exclude, Index, NAME_KEYS, REST_METHODS, Relation, SHAPES } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import { isJsonText, parseFlagJson } from './json.ts';
import type { KeySpec } from './key.ts';
import { type EntryParser, toKeys } from './shape.ts';

/** `method:path`, or a path for every method. */
function parsePermission(given: string): { method: string; path: string } {
  const at = given.indexOf(':');
  const isWhole = at < 0 || given.startsWith('/');
  const word = isWhole ? 'all' : given.slice(0, at);
  const method = REST_METHODS.find((each) => each === word.toLowerCase());
  const path = isWhole ? given : given.slice(at + 1);
  if (method && path.startsWith('/')) return { method, path };
  if (method) {
    throw createUsageError(`--permission "${path}" is not a path.`, 'It starts with "/", such as all:/staff/**.');
  }
  throw createUsageError(`--permission "${given}" does not start with a method.`, toDidYouMean(word, REST_METHODS));
}

const identifyPermission = (entry: unknown): string => {
  const { method, path } = entry as { method: string; path: string };
  return `${method}:${path}`;
};

/** Columns by comma, such as `talk_id,profile_id`. */
function parseUnique(given: string): { columns: string[] } {
  const columns = given.split(',').map((name) => name.trim());
  if (columns.length > 1 && columns.every((name) => name !== '')) return { columns };
  throw createUsageError(
    `--unique "${given}" does not name several columns.`,
    'Separate them by commas, such as talk_id,profile_id. One field is unique by its flag: --field name:text,unique.',
  );
}

/** `published,-views where published=true`, or JSON. */
function parseIndex(given: string): Index {
  const isJson = isJsonText(given);
  const parsed = isJson ? Index.safeParse(parseFlagJson(given)).data : parseIndexText(given);
  if (parsed !== undefined) return parsed;
  throw createUsageError(
    `The index "${given}" is not columns, with "where" and conditions after them.`,
    `Such as "${INDEX_SAMPLE}", or JSON: {"columns": ["published", "-views"], "where": {"published": true}}`,
  );
}

const identifyIndex = (entry: unknown): string => printIndex(entry as Index);

/** `tool_id:from,until`, `from,until` for one timeline of all rows, or JSON. */
function parseExclude(given: string): Exclude {
  const parsed = isJsonText(given) ? Exclude.safeParse(parseFlagJson(given)).data : parseExcludeText(given);
  if (parsed !== undefined) return parsed;
  throw createUsageError(
    `The rule "${given}" is not columns, a colon and the two fields of a period.`,
    `Such as "${EXCLUDE_SAMPLE}", or JSON: {"columns": ["tool_id"], "range": ["from", "until"], "message": "Taken"}`,
  );
}

const identifyExclude = (entry: unknown): string => printExclude({ ...(entry as Exclude), message: undefined });

const identifyUnique = (entry: unknown): string => (entry as { columns: readonly string[] }).columns.join();

/** How the flags read lists of objects. */
const PARSERS: Readonly<Record<string, EntryParser>> = {
  unique: { parse: parseUnique, identify: identifyUnique },
  exclude: { identity: 'rule', parse: parseExclude, identify: identifyExclude },
  indexes: { identity: 'index', parse: parseIndex, identify: identifyIndex },
  permissions: { parse: parsePermission, identify: identifyPermission },
};

const readKeys = (kind: DefinitionKind): readonly KeySpec[] =>
  toKeys(listFormKeys(SHAPES[kind], FORMS[kind]()), PARSERS);

/** The keys of each kind that flags set: all but its name, and the fields and relations of a schema. */
export const KEYS: Readonly<Record<DefinitionKind, readonly KeySpec[]>> = {
  schema: readKeys('schema'),
  fieldset: readKeys('fieldset'),
  rest: readKeys('rest'),
  scope: readKeys('scope'),
  webhook: readKeys('webhook'),
  app: readKeys('app'),
  role: readKeys('role'),
};

/** The keys of a relation that flags set: all but the related schema. */
export const RELATION_KEYS: readonly KeySpec[] = toKeys(listFormKeys(Relation, getRelationForm()), {});

/** The argument that names a definition: of kinds whose `name` is a label, it is the slug. */
export const toNameArgument = (kind: DefinitionKind): 'name' | 'slug' => NAME_KEYS[kind] ?? 'name';

interface Examples {
  readonly name: string;
  /** Flags of `update`; the name and flags of a copy; a new name. */
  readonly update: readonly string[];
  readonly copy: string;
  readonly rename: string;
}

/** What the examples in the help of the verbs of every kind use. */
export const EXAMPLES: Readonly<Record<DefinitionKind, Examples>> = {
  schema: {
    name: 'article',
    update: ['--plural Posts --display "{{article_title}}"', '--unset icon'],
    copy: 'post --plural Posts',
    rename: 'post',
  },
  fieldset: { name: 'address', update: ['--singular "Postal address"'], copy: 'place', rename: 'place' },
  rest: {
    name: 'public-article-search',
    update: [
      '--title "Find articles" --add-parameter sort=-article_published',
      '--remove-parameter sort --unset description',
    ],
    copy: 'public-article-newest --path /public/article/newest --add-parameter sort=-article_published',
    rename: 'public-article-list',
  },
  scope: {
    name: 'profile_read',
    update: ['--add-call user-profile-detail', '--name "See who you are" --description "Your name"'],
    copy: 'profile_all --name "See all of you"',
    rename: 'profile_see',
  },
  webhook: {
    name: 'profile-created',
    update: ['--url https://example.org/hook --delivery inline', '--unset url'],
    copy: 'profile-changed --event system-model-update --type profile.changed',
    rename: 'signed-up',
  },
  app: {
    name: 'reader',
    update: ['--add-redirect-uri https://example.org/callback', '--scope profile_read --remember-consent'],
    copy: 'reader-test --title "Reader, trial"',
    rename: 'browser',
  },
  role: {
    name: 'editor',
    update: ["--add-permission 'get:/admin/system/model/article/**'", '--name Author'],
    copy: 'author --name Author',
    rename: 'author',
  },
};
