import type { FileKind } from './shape.ts';

interface KindWords {
  readonly one: string;
  readonly many: string;
  /** Description in one sentence. */
  readonly what: string;
}

/** The words for each kind of definition: on the command line, in the reference and in JSON Schema. */
export const KIND_WORDS: Readonly<Record<FileKind, KindWords>> = {
  settings: { one: 'settings', many: 'settings', what: 'The site as a whole: database, server, limits, OAuth.' },
  schema: { one: 'schema', many: 'schemas', what: 'A data type: a table with its fields, relations and rules.' },
  fieldset: { one: 'fieldset', many: 'fieldsets', what: 'A reusable group of fields, kept in one column.' },
  rest: { one: 'REST call', many: 'REST calls', what: 'A call of the API: who may call which path, and what answers.' },
  scope: { one: 'scope', many: 'scopes', what: 'A list of REST calls that an app is granted together.' },
  webhook: { one: 'web hook', many: 'web hooks', what: 'An event that is sent to apps and other receivers.' },
  app: { one: 'app', many: 'apps', what: 'A client of the API.' },
  role: { one: 'role', many: 'roles', what: 'A role of users, with the paths that it opens.' },
};
