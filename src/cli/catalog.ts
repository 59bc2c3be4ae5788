import { WEBHOOK_VERBS } from './catalog-webhook.ts';
import type { CommandSpec } from './spec.ts';

/** A command's words and where it lives. Only the one that is typed is loaded, so that `--help` loads none. */
export interface CatalogEntry {
  /** One word, or noun and verb. */
  readonly words: readonly [string] | readonly [string, string];
  readonly summary: string;
  readonly load: () => Promise<CommandSpec>;
}

/** Definition kinds, with how each is called. The nouns are folders of `config/` too. */
export const NOUNS = {
  schema: 'data types',
  fieldset: 'reusable groups of fields',
  rest: 'REST calls',
  scope: 'scopes, each a list of REST calls',
  webhook: 'web hooks',
  app: 'apps',
  role: 'roles of users',
} as const;
export type Noun = keyof typeof NOUNS;

/** What the words that only group others are about. */
export const GROUPS: Readonly<Record<string, string>> = {
  ...NOUNS,
  field: 'fields of a schema',
  relation: 'relations between schemas',
  api: 'the API as a whole',
  user: 'user accounts',
  upload: 'uploaded files',
};

const ONE: Readonly<Record<Noun, string>> = {
  schema: 'a data type',
  fieldset: 'a group of fields',
  rest: 'a REST call',
  scope: 'a scope',
  webhook: 'a web hook',
  app: 'an application',
  role: 'a role',
};

/** A name for the examples of the commands that take one. */
export const SAMPLE_NAMES: Readonly<Record<Noun, string>> = {
  schema: 'article',
  fieldset: 'address',
  rest: 'public-article-search',
  scope: 'profile_read',
  webhook: 'profile-created',
  app: 'reader',
  role: 'editor',
};

const create: Readonly<Record<Noun, () => Promise<CommandSpec>>> = {
  schema: async () => (await import('./command/schema-create.ts')).command,
  fieldset: async () => (await import('./command/fieldset-create.ts')).command,
  rest: async () => (await import('./command/rest-create.ts')).command,
  scope: async () => (await import('./command/scope-create.ts')).command,
  webhook: async () => (await import('./command/webhook-create.ts')).command,
  app: async () => (await import('./command/app-create.ts')).command,
  role: async () => (await import('./command/role-create.ts')).command,
};

function toVerbs(noun: Noun): CatalogEntry[] {
  return [
    { words: [noun, 'create'], summary: `defines ${ONE[noun]}`, load: create[noun] },
    {
      words: [noun, 'list'],
      summary: `lists the ${NOUNS[noun]}`,
      load: async () =>
        noun === 'app'
          ? (await import('./command/app-list.ts')).command
          : (await import('./command/definition-list.ts')).toCommand(noun),
    },
    {
      words: [noun, 'show'],
      summary: `shows ${ONE[noun]}`,
      load: async () =>
        noun === 'schema'
          ? (await import('./command/schema-show.ts')).command
          : noun === 'app'
            ? (await import('./command/app-show.ts')).command
            : (await import('./command/definition-show.ts')).toCommand(noun),
    },
    {
      words: [noun, 'update'],
      summary: `changes ${ONE[noun]}`,
      load: async () =>
        noun === 'app'
          ? (await import('./command/app-update.ts')).command
          : (await import('./command/definition-update.ts')).toCommand(noun),
    },
    {
      words: [noun, 'rename'],
      summary: `renames ${ONE[noun]} and everything that refers to it`,
      load: async () =>
        noun === 'schema'
          ? (await import('./command/schema-rename.ts')).command
          : (await import('./command/definition-rename.ts')).toCommand(noun),
    },
    {
      words: [noun, 'copy'],
      summary: `copies ${ONE[noun]} under another name`,
      load: async () => (await import('./command/definition-copy.ts')).toCommand(noun),
    },
    {
      words: [noun, 'remove'],
      summary: `removes ${ONE[noun]}'s definition`,
      load: async () =>
        noun === 'app'
          ? (await import('./command/app-remove.ts')).command
          : (await import('./command/definition-remove.ts')).toCommand(noun),
    },
  ];
}

export const CATALOG: readonly CatalogEntry[] = [
  {
    words: ['create'],
    summary: 'writes a new project',
    load: async () => (await import('./command/create.ts')).command,
  },
  {
    words: ['dev'],
    summary: 'runs the development server: hot reload, and migration on every change',
    load: async () => (await import('./command/dev.ts')).command,
  },
  {
    words: ['start'],
    summary: 'runs the production server',
    load: async () => (await import('./command/start.ts')).command,
  },
  ...toVerbs('schema'),
  {
    words: ['field', 'add'],
    summary: 'adds a field to a schema',
    load: async () => (await import('./command/field-add.ts')).command,
  },
  {
    words: ['field', 'update'],
    summary: 'changes a field of a schema',
    load: async () => (await import('./command/field-update.ts')).command,
  },
  {
    words: ['field', 'rename'],
    summary: 'renames a field and everything that refers to it; the data stays',
    load: async () => (await import('./command/field-rename.ts')).command,
  },
  {
    words: ['field', 'remove'],
    summary: 'removes a field from a schema',
    load: async () => (await import('./command/field-remove.ts')).command,
  },
  {
    words: ['relation', 'add'],
    summary: 'adds a relation to a schema',
    load: async () => (await import('./command/relation-add.ts')).command,
  },
  {
    words: ['relation', 'rename'],
    summary: 'renames a relation and everything that refers to it; the links stay',
    load: async () => (await import('./command/relation-rename.ts')).command,
  },
  {
    words: ['relation', 'remove'],
    summary: 'removes a relation from a schema',
    load: async () => (await import('./command/relation-remove.ts')).command,
  },
  ...toVerbs('fieldset'),
  ...toVerbs('rest'),
  {
    words: ['rest', 'generate'],
    summary: 'defines the usual calls of a schema',
    load: async () => (await import('./command/rest-generate.ts')).command,
  },
  ...toVerbs('scope'),
  ...toVerbs('webhook'),
  ...WEBHOOK_VERBS,
  ...toVerbs('app'),
  {
    words: ['app', 'try'],
    summary: 'runs the OAuth flow against the running server and prints each request as curl',
    load: async () => (await import('./command/app-try.ts')).command,
  },
  {
    words: ['app', 'approve'],
    summary: 'approves scopes and web hooks for a registered app',
    load: async () => (await import('./command/app-approve.ts')).command,
  },
  {
    words: ['app', 'suspend'],
    summary: 'suspends a registered app at once',
    load: async () => (await import('./command/app-active.ts')).suspend,
  },
  {
    words: ['app', 'resume'],
    summary: 'resumes a suspended app',
    load: async () => (await import('./command/app-active.ts')).resume,
  },
  ...toVerbs('role'),
  {
    words: ['api', 'populate'],
    summary: 'opens the API: first calls, scope, hook and the developer section',
    load: async () => (await import('./command/api-populate.ts')).command,
  },
  {
    words: ['migrate'],
    summary: 'shows or applies what the database lacks',
    load: async () => (await import('./command/migrate.ts')).command,
  },
  {
    words: ['migrate', 'undo'],
    summary: 'undoes the last migration; the definition files stay',
    load: async () => (await import('./command/migrate-undo.ts')).command,
  },
  {
    words: ['words', 'rebuild'],
    summary: 'rebuilds the search index, for rows that were changed outside Treadle',
    load: async () => (await import('./command/words-rebuild.ts')).command,
  },
  {
    words: ['check'],
    summary: 'lists every problem in definitions, routes and templates',
    load: async () => (await import('./command/check.ts')).command,
  },
  {
    words: ['docs'],
    summary: 'writes the developer docs as static pages',
    load: async () => (await import('./command/docs.ts')).command,
  },
  {
    words: ['types'],
    summary: 'writes TypeScript types of the rows',
    load: async () => (await import('./command/types.ts')).command,
  },
  {
    words: ['client'],
    summary: 'writes a typed client of the API',
    load: async () => (await import('./command/client.ts')).command,
  },
  {
    words: ['routes'],
    summary: 'lists all routes',
    load: async () => (await import('./command/routes.ts')).command,
  },
  {
    words: ['events'],
    summary: 'lists all events and listeners',
    load: async () => (await import('./command/events.ts')).command,
  },
  {
    words: ['explain'],
    summary: 'explains how one request is handled and who may make it',
    load: async () => (await import('./command/explain.ts')).command,
  },
  {
    words: ['emit'],
    summary: 'emits an event',
    load: async () => (await import('./command/emit.ts')).command,
  },
  {
    words: ['import'],
    summary: 'imports rows from NDJSON, JSON or CSV',
    load: async () => (await import('./command/import.ts')).command,
  },
  {
    words: ['export'],
    summary: 'exports rows as NDJSON, JSON or CSV',
    load: async () => (await import('./command/export.ts')).command,
  },
  {
    words: ['fake'],
    summary: 'generates sample rows by field type, the same for the same seed',
    load: async () => (await import('./command/fake.ts')).command,
  },
  {
    words: ['backup'],
    summary: 'writes all rows and uploaded files into one file, while serving',
    load: async () => (await import('./command/backup.ts')).command,
  },
  {
    words: ['restore'],
    summary: 'replaces the rows of the database with those of a backup',
    load: async () => (await import('./command/restore.ts')).command,
  },
  {
    words: ['move'],
    summary: 'moves all rows to another database',
    load: async () => (await import('./command/move.ts')).command,
  },
  {
    words: ['user', 'create'],
    summary: 'adds a user with a profile',
    load: async () => (await import('./command/user-create.ts')).command,
  },
  {
    words: ['user', 'list'],
    summary: 'lists the users',
    load: async () => (await import('./command/user-list.ts')).command,
  },
  {
    words: ['user', 'password'],
    summary: 'changes the password of a user',
    load: async () => (await import('./command/user-password.ts')).command,
  },
  {
    words: ['user', 'disable'],
    summary: 'disables a user: no login, no sessions, no tokens',
    load: async () => (await import('./command/user-disable.ts')).command,
  },
  {
    words: ['user', 'enable'],
    summary: 'enables a user who was disabled or waits for activation',
    load: async () => (await import('./command/user-enable.ts')).command,
  },
  {
    words: ['user', 'verify'],
    summary: 'marks the e-mail of a user as verified, so that app files may name it as owner',
    load: async () => (await import('./command/user-verify.ts')).command,
  },
  {
    words: ['upload', 'clean'],
    summary: 'removes uploaded files that no row refers to',
    load: async () => (await import('./command/upload-clean.ts')).command,
  },
  {
    words: ['doctor'],
    summary: 'checks versions, binding, database and settings',
    load: async () => (await import('./command/doctor.ts')).command,
  },
  {
    words: ['completion'],
    summary: 'prints a completion script for your shell',
    load: async () => (await import('./command/completion.ts')).command,
  },
];
