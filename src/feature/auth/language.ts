import * as z from 'zod';
import { getAccess } from '../../core/access.ts';
import { currentLocale, inLocale, translate } from '../../core/text/translate.ts';
import type { Context } from '../../plan/feature.ts';
import { findOffered, hasChoice } from '../../plan/language/languages.ts';
import type { AuthRow } from './sql.ts';

/** The language of an account in a stage. What is no text becomes one that no language has. */
export const languageTag = (more = '') =>
  z
    .custom<string>()
    .meta({ type: 'string' })
    .optional()
    .transform((tag) => (tag === undefined || typeof tag === 'string' ? tag : JSON.stringify(tag)))
    .describe(`Tag of a language of the site, such as \`de\`. Empty: as the browser asks.${more}`);

/** Why an account cannot have a language, by the stage's key; empty if it can, or none is given. */
export function findLanguageErrors({ plan }: Context, tag: string | undefined): Record<string, string> {
  const { languages } = plan.model.settings;
  if (tag === undefined || tag === '' || languages.some((one) => one === tag)) return {};
  const message = 'Should be a language of the site: {languages}';
  return { auth_language: translate(message, { languages: languages.join(', ') }) };
}

/** The language of a new account: of the stage, else of the page on which a visitor signs up. */
export function findNewLanguage({ plan }: Context, tag: string | undefined): string {
  if (tag !== undefined) return tag;
  const { kind, authId } = getAccess();
  const isSignup = kind === 'page' && authId === undefined && hasChoice(plan.languages);
  return (isSignup && currentLocale()?.tag) || '';
}

/** Runs work in the language of an account, such as a mail that somebody else caused; without one in that of the request. */
export const inLanguageOf = <T>({ plan }: Context, auth: Pick<AuthRow, 'auth_language'>, work: () => T): T =>
  inLocale(findOffered(plan.languages, auth.auth_language) ?? currentLocale(), work);
