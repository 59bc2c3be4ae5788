import { getAccess } from '../../core/access.ts';
import type { Request } from '../../core/request/request.ts';
import { currentLocale, inLocale, translate } from '../../core/text/translate.ts';
import type { Context } from '../../plan/feature.ts';
import { findOffered, hasChoice } from '../../plan/language/languages.ts';
import { readText } from './account/account.ts';
import type { AuthRow } from './sql.ts';

/** For the docs of the stage. */
export const LANGUAGE_STAGE = 'Tag of a language of the site, such as `de`. Empty: as the browser asks.';

/** Why the language in the stage cannot be stored; undefined if it can, or is absent. */
export function findLanguageError({ plan }: Context, request: Request): string | undefined {
  const value = request.getStage('auth_language');
  const { languages } = plan.model.settings;
  if (value === undefined || value === '' || languages.some((tag) => tag === value)) return undefined;
  return translate('Should be a language of the site: {languages}', { languages: languages.join(', ') });
}

/** The language of a new account: of the stage, else of the page on which a visitor signs up. */
export function findNewLanguage({ plan }: Context, request: Request): string {
  const value = request.getStage('auth_language');
  if (value !== undefined) return readText(value);
  const { kind, authId } = getAccess();
  const isSignup = kind === 'page' && authId === undefined && hasChoice(plan.languages);
  return (isSignup && currentLocale()?.tag) || '';
}

/** Runs work in the language of an account, such as a mail that somebody else caused; without one in that of the request. */
export const inLanguageOf = <T>({ plan }: Context, auth: Pick<AuthRow, 'auth_language'>, work: () => T): T =>
  inLocale(findOffered(plan.languages, auth.auth_language) ?? currentLocale(), work);
