import type { Problem } from '../core/errors.ts';

/** Pages of the package that explain what a kind of file may say, by the file. */
const PAGES: readonly (readonly [pattern: RegExp, page: string])[] = [
  [/^config\/schema\//, 'docs/guide/schemas.md'],
  [/^config\/fieldset\//, 'docs/guide/fields.md'],
  [/^config\/(?:rest|scope)\//, 'docs/guide/calls.md'],
  [/^config\/webhook\//, 'docs/guide/webhook.md'],
  [/^config\/app\//, 'docs/guide/oauth.md'],
  [/^config\/role\//, 'docs/guide/roles.md'],
  [/^config\/locale\//, 'docs/guide/languages.md'],
  [/^config\/settings\.json$/, 'docs/reference/definitions.md'],
  [/^config\/migration\//, 'docs/guide/migrations.md'],
  [/^\.env$/, 'docs/reference/environment.md'],
  [/\.html$/, 'docs/guide/templates.md'],
  [/\.[cm]?[jt]s$/, 'docs/guide/events.md'],
];
/** Every code in a sentence. */
const CODES = 'docs/reference/errors.md';

/** A problem with the page of the installed package to read, for programs. */
export const withDocs = (problem: Problem): Problem & { readonly docs: string } => ({
  ...problem,
  docs: PAGES.find(([pattern]) => pattern.test(problem.file))?.[1] ?? CODES,
});
