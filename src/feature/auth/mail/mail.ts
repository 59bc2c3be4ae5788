import { asSystem } from '../../../core/access.ts';
import { Request } from '../../../core/request/request.ts';
import { Response } from '../../../core/request/response.ts';
import { currentLocale, currentLocaleTag, translate } from '../../../core/text/translate.ts';
import type { Row } from '../../../database/row-statement.ts';
import type { Context } from '../../../plan/feature.ts';
import { toLanguagePath } from '../../../plan/language/language-path.ts';
import { inLanguageOf } from '../language.ts';
import type { AuthRow } from '../sql.ts';
import { LINK_SECONDS, type Purpose } from './mail-token.ts';

/** True if the site can send mail, or has an outbox. */
export const hasMail = ({ services }: Context): boolean => services.mailer.way !== 'none';

async function emitAsSystem(context: Context, event: string, stage: Row): Promise<Response> {
  const request = new Request().setStage(stage);
  const response = new Response(request);
  await asSystem(() => context.emit(event, request, response));
  return response;
}

export interface LaterMail {
  /** The event that decides whether and what to send. */
  readonly event: string;
  readonly stage: Row;
  /** Seconds after which the mail is useless. */
  readonly seconds: number;
}

/** Lets an event prepare a mail after the answer, so that the answer takes as long for any address. */
export const prepareMail = (context: Context, { event, stage, seconds }: LaterMail): Promise<Response> =>
  emitAsSystem(context, 'mail-prepare', { event, stage, seconds });

export interface Letter {
  readonly to: string;
  readonly template: string;
  /** Made in the language of the account. */
  readonly data: () => Row;
  readonly seconds?: number;
}

/**
 * Whether somebody has proven that an address is that of the account. Whoever signs up types a name, so a mail to any
 * other address has none: the site would send a stranger's words to it.
 */
const isProven = (auth: AuthRow, address: string): boolean => auth.auth_verified === 1 && address === auth.auth_slug;

/** Queues a mail in the language of its account, with its name only if the address is proven. Sets its error on the response, so that it is tried again. */
export async function sendMail(context: Context, response: Response, auth: AuthRow, letter: Letter): Promise<void> {
  const answer = await inLanguageOf(context, auth, () => {
    const { name, ...data } = letter.data();
    const all = isProven(auth, letter.to) ? { ...data, name } : data;
    const stage = { ...letter, data: all, language: currentLocale()?.tag };
    return emitAsSystem(context, 'mail-send', stage);
  });
  if (!answer.isError()) return;
  response.refuse({
    status: answer.getStatus(),
    code: answer.refusal?.code,
    message: answer.getMessage() ?? 'The mail was refused.',
  });
}

/** The URL of a mailed link, in the language of the mail. The host comes from the settings, never from a request. */
export function toLink({ services }: Context, path: string, token: string): string {
  return `${services.baseUrl()}${toLanguagePath(currentLocale(), currentLocaleTag(), path)}?token=${token}`;
}

/** How long a link is valid, in words. */
export function toLife(purpose: Purpose): string {
  const minutes = LINK_SECONDS[purpose] / 60;
  if (minutes < 120) return translate('{count, plural, one {# minute} other {# minutes}}', { count: minutes });
  const hours = minutes / 60;
  if (hours <= 48) return translate('{count, plural, one {# hour} other {# hours}}', { count: hours });
  return translate('{count, plural, one {# day} other {# days}}', { count: hours / 24 });
}
