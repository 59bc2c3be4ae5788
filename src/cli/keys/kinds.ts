import { toDidYouMean } from '../../core/suggest.ts';
import { ACCESS, AGGREGATES, type DefinitionKind, HOOK_FORMATS, REST_METHODS } from '../../model/shape.ts';
import { createUsageError } from '../failure.ts';
import type { KeySpec } from './key.ts';

const text = (key: string, value: string, description: string, more: Partial<KeySpec> = {}): KeySpec => ({
  key,
  flag: key,
  value,
  description,
  form: 'one',
  ...more,
});

const needed = { isRequired: true, isKept: true } as const;

const LABELS: readonly KeySpec[] = [
  text('singular', 'label', 'label of one; made from the name if left out', { isKept: true }),
  text('plural', 'label', 'label of many; made from the singular if left out', { isKept: true }),
];

/** A stage's value: JSON where it reads as a list or an object, else the text. */
function parseStageValue(given: string): unknown {
  if (!/^\s*[[{]/.test(given)) return given;
  try {
    return JSON.parse(given);
  } catch {
    throw createUsageError(`"${given}" is not JSON.`, 'A value that starts with "{" or "[" is read as JSON.');
  }
}

const toParameters = (description: string): KeySpec => ({
  key: 'parameters',
  flag: 'parameter',
  value: 'key=value',
  description: `${description}; a.b=v for what lies deeper, or JSON`,
  form: 'map',
  parse: parseStageValue,
});

const FILTER_SAMPLE = 'article_words.gte=100';

function parseVersion(given: string): number {
  const version = Number(given);
  if (Number.isInteger(version) && version >= 1) return version;
  throw createUsageError(`--secret-version can't be "${given}".`, 'It is a whole number from 1.');
}

function parseSeconds(given: string): number {
  if (/^\d{1,8}$/.test(given)) return Number(given);
  throw createUsageError(`--max-age can't be "${given}".`, 'It is a whole number of seconds from 0.');
}

/** `method:path`, or a path for every method. */
function parsePermission(given: string): { method: string; path: string } {
  const at = given.indexOf(':');
  const isWhole = at < 0 || given.startsWith('/');
  const word = isWhole ? 'all' : given.slice(0, at);
  const method = REST_METHODS.find((each) => each === word.toLowerCase());
  if (method) return { method, path: isWhole ? given : given.slice(at + 1) };
  throw createUsageError(`--permission "${given}" does not start with a method.`, toDidYouMean(word, REST_METHODS));
}

const identifyPermission = (entry: unknown): string => {
  const { method, path } = entry as { method: string; path: string };
  return `${method}:${path}`;
};

/** Below `/rest`, whether or not it was typed with it. */
const parseCallPath = (given: string): string => given.replace(/^\/rest(?=\/)/, '');

/** The keys of each kind of definition that flags set: all but its name, and the fields and relations of a schema. */
export const KEYS: Readonly<Record<DefinitionKind, readonly KeySpec[]>> = {
  schema: [
    ...LABELS,
    text('icon', 'name', 'icon in the admin section'),
    text('description', 'text', 'what a row is'),
    text('display', 'template', 'label of a row, such as {{article_title}}'),
  ],
  fieldset: LABELS,
  rest: [
    text('title', 'text', 'title in the docs', needed),
    text('access', 'access', 'who may call', { ...needed, choices: ACCESS }),
    text('method', 'method', 'HTTP method', { ...needed, choices: REST_METHODS }),
    text('path', 'path', 'path below /rest; :name is a parameter', { ...needed, parse: parseCallPath }),
    text('event', 'event', 'event that answers, such as system-model-search', needed),
    toParameters('a fixed stage value'),
    {
      key: 'aggregate',
      flag: 'aggregate',
      value: 'what',
      description: 'what a request to a search may have',
      form: 'list',
      isSplit: true,
      choices: AGGREGATES,
    },
    {
      key: 'open',
      flag: 'open',
      description: 'says that strangers may reach it, which check advises on',
      form: 'switch',
    },
    { key: 'removed', flag: 'removed', description: 'lets a request ask for removed rows, too', form: 'switch' },
    text('description', 'text', 'what the call does'),
    {
      key: 'own',
      flag: 'own',
      description: "holds a user call to the user's own rows, as it is by itself",
      off: "does not hold a user call to the user's own rows",
      form: 'switch',
      otherwise: true,
    },
    text('concurrency', 'how', 'whether a change must say by If-Match which version it changes', {
      choices: ['optional', 'required'],
    }),
    text('maxAge', 'seconds', 'seconds for which the answer of a public read may be kept', {
      flag: 'max-age',
      parse: parseSeconds,
    }),
    text('deprecated', 'day', 'day since which it should not be used any more, such as 2026-01-31'),
    text('sunset', 'day', 'day from which it may be gone'),
  ],
  scope: [
    text('name', 'text', 'what a person reads when asked', needed),
    text('access', 'access', 'who holds it', { isKept: true, choices: ['user', 'app'], default: 'user' }),
    text('description', 'text', 'what is granted'),
    {
      key: 'approval',
      flag: 'approval',
      description: 'apps that registered themselves may use it only once they were approved',
      form: 'switch',
    },
    {
      key: 'calls',
      flag: 'call',
      value: 'rest name',
      description: 'a REST call that it opens',
      form: 'list',
      isSplit: true,
      isKept: true,
    },
  ],
  webhook: [
    text('title', 'text', 'title in the docs', needed),
    text('event', 'event', 'event that fires it when it succeeds', needed),
    toParameters('a stage value that must match'),
    {
      ...toParameters(`what the data must be, as a search asks: ${FILTER_SAMPLE}`),
      key: 'filter',
      flag: 'filter',
      sample: FILTER_SAMPLE,
    },
    toList('fields', 'field', 'column', 'a column that is sent; all where none is named'),
    text('type', 'type', 'type in the body, such as profile.created', needed),
    text('audience', 'audience', 'whose apps hear of it', { choices: ['app', 'user'] }),
    {
      key: 'approval',
      flag: 'approval',
      description: 'apps that registered themselves hear of it only once they were approved',
      off: 'says that any app may hear of it, which check advises against where no call shows what it sends',
      isOffWritten: true,
      form: 'switch',
    },
    text('method', 'method', 'HTTP method of the delivery', { choices: ['post', 'put'] }),
    text('format', 'format', 'how an event is written', { choices: HOOK_FORMATS }),
    text('url', 'url', 'a receiver beside the subscribed apps'),
    text('delivery', 'delivery', 'after the action, or during it', { choices: ['queued', 'inline'] }),
    text('secretVersion', 'n', 'version of the signing secret; a higher one makes a new secret', {
      flag: 'secret-version',
      parse: parseVersion,
    }),
    text('secretName', 'name', 'name that the secret is made from, where it is not its own', { flag: 'secret-name' }),
    text('description', 'text', 'when it fires'),
  ],
  app: [
    text('title', 'text', 'title that a person reads when asked', needed),
    { ...toList('redirectUris', 'redirect-uri', 'uri', 'where a person may be sent back to'), isSplit: false },
    toList('origins', 'origin', 'origin', 'a site whose pages may call the API, such as https://example.org'),
    toList('scopes', 'scope', 'slug', 'a scope that it may ask for or holds'),
    text('webhook', 'url', 'address that receives its hooks'),
    toList('hooks', 'hook', 'webhook name', 'a hook that it receives'),
    text('secretVersion', 'n', "version of its hooks' signing secrets; a higher one makes new secrets", {
      flag: 'secret-version',
      parse: parseVersion,
    }),
    text('owner', 'email', 'e-mail of the user who owns it'),
    text('website', 'url', 'its own site'),
    { key: 'rememberConsent', flag: 'remember-consent', description: 'asks a person once only', form: 'switch' },
    text('pkce', 'rule', 'whether the standard door needs a code challenge', { choices: ['required', 'optional'] }),
    text('unknownScopes', 'rule', 'what becomes of a scope that this site does not know', {
      flag: 'unknown-scopes',
      choices: ['refuse', 'ignore'],
    }),
  ],
  role: [
    text('name', 'text', 'label; made from the slug if left out', { isKept: true }),
    {
      key: 'permissions',
      flag: 'permission',
      value: 'method:path',
      description: 'what may be opened; * is one segment, ** the rest',
      form: 'list',
      parse: parsePermission,
      identify: identifyPermission,
      ...needed,
    },
  ],
};

function toList(key: string, flag: string, value: string, description: string): KeySpec {
  return { key, flag, value, description, form: 'list', isSplit: true };
}
