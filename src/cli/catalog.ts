import { KIND_WORDS } from '../model/kind-words.ts';
import { withArticle } from '../model/names.ts';
import type { DefinitionKind } from '../model/shape.ts';
import { toPlain } from './description.ts';
import type { CommandSpec } from './spec.ts';

/** A command's words and its module. Only the typed command is loaded, so that `--help` loads none. */
export interface CatalogEntry {
  /** One word, or noun and verb. */
  readonly words: readonly [string] | readonly [string, string];
  readonly summary: string;
  readonly load: () => Promise<CommandSpec>;
}

/** Kinds of definition as command nouns. The nouns are also folders of `config/`. */
export const NOUNS = [
  'schema',
  'fieldset',
  'rest',
  'scope',
  'webhook',
  'app',
  'role',
] as const satisfies readonly DefinitionKind[];

/** Summaries of the nouns that only group commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(NOUNS.map((noun) => [noun, toPlain(KIND_WORDS[noun].what)])),
  field: 'fields of a schema',
  relation: 'relations between schemas',
  api: 'the API as a whole',
  user: 'user accounts',
  words: 'the index of word searches',
  upload: 'uploaded files',
  job: "jobs and schedules of the project's code",
};

type CommandModule = { readonly command: CommandSpec };

function createEntry(words: string, summary: string, load: () => Promise<CommandModule>): CatalogEntry {
  const [noun = '', verb] = words.split(' ');
  return { words: verb === undefined ? [noun] : [noun, verb], summary, load: async () => (await load()).command };
}

/** The verbs of a kind of definition; for some, a kind has its own command. */
function toVerbs(noun: DefinitionKind): CatalogEntry[] {
  const { one, many } = KIND_WORDS[noun];
  const a = withArticle(one);
  return [
    createEntry(`${noun} create`, `defines ${a}`, async () => {
      if (noun === 'schema' || noun === 'fieldset')
        return { command: (await import('./command/owner-create.ts')).toCommand(noun) };
      if (noun === 'app') return import('./command/app-create.ts');
      return { command: (await import('./command/definition-create.ts')).toCommand(noun) };
    }),
    createEntry(`${noun} list`, `lists the ${many}`, async () => {
      if (noun === 'app') return import('./command/app-list.ts');
      return { command: (await import('./command/definition-list.ts')).createListCommand(noun) };
    }),
    createEntry(`${noun} show`, `shows ${a}`, async () => {
      if (noun === 'schema') return import('./command/schema-show.ts');
      if (noun === 'app') return import('./command/app-show.ts');
      return { command: (await import('./command/definition-show.ts')).toCommand(noun) };
    }),
    createEntry(`${noun} update`, `changes ${a}`, async () => {
      if (noun === 'app') return import('./command/app-update.ts');
      return { command: (await import('./command/definition-update.ts')).toCommand(noun) };
    }),
    createEntry(`${noun} rename`, `renames ${a} and everything that refers to it`, async () => {
      if (noun === 'schema') return import('./command/schema-rename.ts');
      return { command: (await import('./command/definition-rename.ts')).toCommand(noun) };
    }),
    createEntry(`${noun} copy`, `copies ${a} under another name`, async () => {
      return { command: (await import('./command/definition-copy.ts')).toCommand(noun) };
    }),
    createEntry(`${noun} remove`, `removes the definition of ${a}`, async () => {
      if (noun === 'app') return import('./command/app-remove.ts');
      return { command: (await import('./command/definition-remove.ts')).toCommand(noun) };
    }),
  ];
}

export const CATALOG: readonly CatalogEntry[] = [
  createEntry('create', 'writes a new project', () => import('./command/create.ts')),
  createEntry(
    'dev',
    'runs the development server: hot reload, and migration on every change',
    () => import('./command/dev.ts'),
  ),
  createEntry('start', 'runs the production server', () => import('./command/start.ts')),
  ...toVerbs('schema'),
  createEntry('field add', 'adds a field to a schema', () => import('./command/field-add.ts')),
  createEntry('field update', 'changes a field of a schema', () => import('./command/field-update.ts')),
  createEntry(
    'field rename',
    'renames a field and everything that refers to it; the data stays',
    () => import('./command/field-rename.ts'),
  ),
  createEntry('field remove', 'removes a field from a schema', () => import('./command/field-remove.ts')),
  createEntry('relation add', 'adds a relation to a schema', () => import('./command/relation-add.ts')),
  createEntry('relation update', 'changes a relation', () => import('./command/relation-update.ts')),
  createEntry(
    'relation rename',
    'renames a relation and everything that refers to it; the links stay',
    () => import('./command/relation-rename.ts'),
  ),
  createEntry('relation remove', 'removes a relation from a schema', () => import('./command/relation-remove.ts')),
  ...toVerbs('fieldset'),
  ...toVerbs('rest'),
  createEntry('rest generate', 'defines the usual calls of a schema', () => import('./command/rest-generate.ts')),
  ...toVerbs('scope'),
  ...toVerbs('webhook'),
  createEntry('webhook secret', "prints a hook's signing secret", () => import('./command/webhook-secret.ts')),
  createEntry(
    'webhook rotate',
    'makes a new signing secret; old and new both sign for a day',
    () => import('./command/webhook-rotate.ts'),
  ),
  createEntry(
    'webhook deliveries',
    'lists the deliveries of the last 30 days',
    () => import('./command/webhook-deliveries.ts'),
  ),
  createEntry(
    'webhook replay',
    'sends deliveries again with the same ids',
    () => import('./command/webhook-replay.ts'),
  ),
  createEntry(
    'webhook receivers',
    'lists the receivers of web hooks with their state',
    () => import('./command/webhook-receivers.ts'),
  ),
  createEntry('webhook enable', 'enables a receiver and sends what it missed', async () => ({
    command: (await import('./command/webhook-enable.ts')).enable,
  })),
  createEntry('webhook disable', 'disables a receiver; its deliveries are kept', async () => ({
    command: (await import('./command/webhook-enable.ts')).disable,
  })),
  createEntry('webhook test', 'sends a test event and prints the result', () => import('./command/webhook-test.ts')),
  createEntry(
    'webhook listen',
    'runs a local receiver that prints and verifies each request',
    () => import('./command/webhook-listen.ts'),
  ),
  ...toVerbs('app'),
  createEntry(
    'app try',
    'runs the OAuth flow against the running server and prints each request as curl',
    () => import('./command/app-try.ts'),
  ),
  createEntry(
    'app approve',
    'approves scopes and web hooks for a registered app',
    () => import('./command/app-approve.ts'),
  ),
  createEntry('app suspend', 'suspends a registered app at once', async () => ({
    command: (await import('./command/app-active.ts')).suspend,
  })),
  createEntry('app resume', 'resumes a suspended app', async () => ({
    command: (await import('./command/app-active.ts')).resume,
  })),
  ...toVerbs('role'),
  createEntry(
    'role allow',
    'lets a role search, change or remove the rows of a schema',
    () => import('./command/role-allow.ts'),
  ),
  createEntry(
    'api populate',
    'opens the API: first calls, scope, hook and the developer section',
    () => import('./command/api-populate.ts'),
  ),
  createEntry('migrate', 'shows or applies what the database lacks', () => import('./command/migrate.ts')),
  createEntry(
    'migrate undo',
    'undoes the last migration; the definition files stay',
    () => import('./command/migrate-undo.ts'),
  ),
  createEntry(
    'words rebuild',
    'rebuilds the search index, for rows that were changed outside Treadle',
    () => import('./command/words-rebuild.ts'),
  ),
  createEntry('check', 'lists every problem in definitions, routes and templates', () => import('./command/check.ts')),
  createEntry('docs', 'writes the developer docs as static pages', () => import('./command/docs.ts')),
  createEntry('types', 'writes TypeScript types of the rows', () => import('./command/types.ts')),
  createEntry('client', 'writes a typed client of the API', () => import('./command/client.ts')),
  createEntry('routes', 'lists all routes', () => import('./command/routes.ts')),
  createEntry('events', 'lists all events and listeners', () => import('./command/events.ts')),
  createEntry(
    'explain',
    'explains how one request is handled and who may make it, or what an error code means',
    () => import('./command/explain.ts'),
  ),
  createEntry('emit', 'emits an event', () => import('./command/emit.ts')),
  createEntry('import', 'imports rows from NDJSON, JSON or CSV', () => import('./command/import.ts')),
  createEntry('export', 'exports rows as NDJSON, JSON or CSV', () => import('./command/export.ts')),
  createEntry(
    'fake',
    'generates sample rows by field type, the same for the same seed',
    () => import('./command/fake.ts'),
  ),
  createEntry(
    'backup',
    'writes all rows and uploaded files into one file, while serving',
    () => import('./command/backup.ts'),
  ),
  createEntry(
    'restore',
    'replaces the rows of the database with those of a backup',
    () => import('./command/restore.ts'),
  ),
  createEntry('move', 'moves all rows to another database', () => import('./command/move.ts')),
  createEntry('user create', 'adds a user with a profile', () => import('./command/user-create.ts')),
  createEntry('user list', 'lists the users', () => import('./command/user-list.ts')),
  createEntry('user show', 'shows a user', () => import('./command/user-show.ts')),
  createEntry(
    'user invite',
    'creates a user, who chooses a password by a mailed link',
    () => import('./command/user-invite.ts'),
  ),
  createEntry('user role', 'adds a role to a user or removes one', () => import('./command/user-role.ts')),
  createEntry(
    'user second-factor',
    'removes the second factors of a user who lost a device',
    () => import('./command/user-second-factor.ts'),
  ),
  createEntry('user sessions', 'lists or ends the sessions of a user', () => import('./command/user-sessions.ts')),
  createEntry('user password', 'changes the password of a user', () => import('./command/user-password.ts')),
  createEntry('user disable', 'disables a user: no login, no sessions, no tokens', async () => ({
    command: (await import('./command/user-access.ts')).disable,
  })),
  createEntry('user enable', 'enables a user who was disabled or waits for activation', async () => ({
    command: (await import('./command/user-access.ts')).enable,
  })),
  createEntry(
    'user verify',
    'marks the e-mail of a user as verified, so that app files may name it as owner',
    async () => ({ command: (await import('./command/user-access.ts')).verify }),
  ),
  createEntry('job list', 'lists jobs, and when schedules run next', () => import('./command/job-list.ts')),
  createEntry('job run', 'runs a job now, in this process', () => import('./command/job-run.ts')),
  createEntry('job retry', 'queues jobs again that were given up', () => import('./command/job-retry.ts')),
  createEntry(
    'upload clean',
    'removes uploaded files that no row refers to',
    () => import('./command/upload-clean.ts'),
  ),
  createEntry(
    'slow',
    'lists slow searches, how the database reads them, and the index that would help',
    () => import('./command/slow.ts'),
  ),
  createEntry('doctor', 'checks versions, binding, database and settings', () => import('./command/doctor.ts')),
  createEntry('completion', 'prints a completion script for your shell', () => import('./command/completion.ts')),
];
