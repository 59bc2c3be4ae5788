import { once } from '../../core/memoize.ts';
import {
  type App,
  type DefinitionKind,
  type Fieldset,
  type Hook,
  type Rest,
  type Role,
  type Schema,
  type Scope,
  SHAPES,
} from '../shape.ts';
import { type DefinitionForm, type FormKeyGroup, fillForm, type KeyForm } from './key.ts';

const LONG: KeyForm = { isLong: true };
const MADE: KeyForm = { isRequired: false, note: 'Made from the name if left out.' };

const LABELS = {
  singular: { ...MADE, label: 'Label of one', help: '', question: 'Singular label:' },
  plural: { ...MADE, label: 'Label of many', help: '', question: 'Plural label:' },
} as const;

const SCHEMA: DefinitionForm<Schema> = {
  elsewhere: ['name', 'was', 'fields', 'relations'],
  groups: [
    {
      title: 'Schema',
      keys: {
        ...LABELS,
        display: {
          label: 'Label of a row',
          help: 'A template over the columns. Lists and pickers show it.',
          isMono: true,
        },
        description: {
          help: '',
          question: 'Short description (optional):',
        },
        icon: { help: 'A name of lucide.dev/icons, such as newspaper.' },
        page: {
          label: 'Address of its page',
          help: 'A path with columns, such as /article/{{article_slug}}. The sitemap lists it.',
          isMono: true,
        },
        history: {
          label: 'Keep a history of its rows',
          help: 'Who changed which row, and what.',
          otherwise: true,
          off: 'keeps no history of its rows',
        },
      },
    },
    {
      title: 'Rules',
      keys: {
        unique: {
          label: 'Unique together',
          help: 'One group per line: columns by comma, then a colon and the message, such as talk_id, profile_id: Already registered.',
          value: 'columns',
          isSplit: false,
        },
        exclude: {
          label: 'Periods that do not overlap',
          help: 'One rule per line: columns by comma, a colon, the fields of the start and the end, a colon and the message, such as {sample}. Without columns all rows share one timeline.',
          value: 'columns: from,until',
          isSplit: false,
        },
        indexes: {
          help: 'One index per line: columns by comma, - before one that sorts down, then where and the conditions of its rows, such as {sample}.',
          flag: 'index',
          value: 'columns [where conditions]',
          isSplit: false,
        },
      },
    },
  ],
};

const FIELDSET: DefinitionForm<Fieldset> = {
  elsewhere: ['name', 'fields'],
  groups: [{ title: 'Field set', keys: LABELS }],
};

const REST: DefinitionForm<Rest> = {
  groups: [
    {
      title: 'Address',
      keys: {
        title: { example: 'Search articles' },
        access: { preset: 'public' },
        method: { preset: 'get' },
        path: {
          example: '/public/article/detail/:article_id',
          // Whether or not it was typed with it.
          parse: (text) => text.replace(/^\/rest(?=\/)/, ''),
        },
      },
    },
    {
      title: 'What answers',
      keys: {
        event: { example: 'system-model-search', names: 'event' },
        parameters: { label: 'Fixed parameters' },
        description: LONG,
      },
    },
    {
      title: 'Limits and lifetime',
      isFolded: true,
      keys: {
        own: {
          label: "Only rows of the token's user",
          otherwise: true,
          off: "lets a user call reach other users' rows too",
        },
        open: { label: 'Open to strangers on purpose' },
        aggregate: { label: 'Grouping that requests may use' },
        removed: { label: 'Requests may ask for removed rows' },
        concurrency: { label: 'If-Match' },
        maxAge: { label: 'Seconds in caches' },
        deprecated: { label: 'Deprecated since' },
        sunset: { label: 'May be removed from' },
      },
    },
  ],
};

const SCOPE: DefinitionForm<Scope> = {
  elsewhere: ['slug'],
  groups: [
    {
      title: 'What users read',
      keys: {
        name: { example: 'See your profile' },
        description: LONG,
        access: { default: 'user', isRequired: false },
        approval: { label: 'Apps need approval' },
      },
    },
    {
      title: 'Calls',
      keys: {
        calls: { label: 'REST calls', names: 'call', question: 'REST calls that it allows:', isRequired: false },
      },
    },
  ],
};

const WEBHOOK: DefinitionForm<Hook> = {
  groups: [
    {
      title: 'What fires it',
      keys: {
        title: { example: 'Article created', question: 'Title in the docs:' },
        event: { example: 'system-model-create', names: 'event' },
        parameters: { label: 'Parameters that must match' },
        filter: { sample: 'article_words.gte=100' },
        description: LONG,
      },
    },
    {
      title: 'Content and receivers',
      keys: {
        type: { example: 'article.created', question: 'Type in the body:' },
        fields: { label: 'Columns', names: 'column' },
        audience: {},
        url: {
          inputType: 'url',
          example: 'https://example.org/hook',
          question: 'URL of your own receiver (optional; apps subscribe by themselves):',
        },
        delivery: {},
      },
    },
    {
      title: 'Request, approval and secret',
      isFolded: true,
      keys: {
        method: {},
        format: {},
        approval: {
          label: 'Apps need approval',
          isOffWritten: true,
          off: 'confirms that every app may receive it, so that `check` does not advise',
        },
        secretVersion: { label: 'Version of the secret' },
        secretName: { label: 'Name of the secret' },
      },
    },
  ],
};

const APP: DefinitionForm<App> = {
  elsewhere: ['clientId', 'secretHash'],
  groups: [
    {
      title: 'Who it is',
      keys: {
        title: { example: 'Reader' },
        website: { inputType: 'url', example: 'https://example.org' },
        owner: { inputType: 'email', example: 'ann@example.org' },
      },
    },
    {
      title: 'What it may do',
      keys: {
        redirectUris: {
          label: 'Redirect addresses',
          example: 'https://example.org/callback',
          question: 'Redirect URI (leave empty to use the developer section’s own page):',
          isSplit: false,
        },
        scopes: { names: 'scope', question: 'Scopes that it may request:' },
      },
    },
    {
      title: 'What it receives',
      keys: {
        webhook: { label: 'Web hook address', inputType: 'url', example: 'https://example.org/hook' },
        hooks: { label: 'Web hooks', names: 'hook' },
      },
    },
    {
      title: 'Consent and protocol',
      isFolded: true,
      keys: {
        rememberConsent: { label: 'Ask a user only once' },
        pkce: { label: 'PKCE' },
        unknownScopes: {},
        origins: { example: 'https://example.org' },
        secretVersion: { label: 'Version of the web hook secrets' },
      },
    },
  ],
};

const ROLE: DefinitionForm<Role> = {
  elsewhere: ['slug', 'data'],
  groups: [
    { title: 'Who holds it', keys: { name: { ...MADE, example: 'Editor' }, secondFactor: {} } },
    { title: 'Paths that it opens', keys: { permissions: { value: 'method:path', isSplit: false } } },
  ],
};

/** The form of each kind of definition, with what its shape says. They are made when they are first asked for. */
export const FORMS: Readonly<Record<DefinitionKind, () => readonly FormKeyGroup[]>> = {
  schema: once(() => fillForm(SHAPES.schema, SCHEMA)),
  fieldset: once(() => fillForm(SHAPES.fieldset, FIELDSET)),
  rest: once(() => fillForm(SHAPES.rest, REST)),
  scope: once(() => fillForm(SHAPES.scope, SCOPE)),
  webhook: once(() => fillForm(SHAPES.webhook, WEBHOOK)),
  app: once(() => fillForm(SHAPES.app, APP)),
  role: once(() => fillForm(SHAPES.role, ROLE)),
};
