import { digest } from '../../../core/secret/secret.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import { toNetwork } from '../../../core/text/network.ts';
import { translate } from '../../../core/text/translate.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { type Rejection, reject } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { toAddress } from '../account/account.ts';
import { EMPTY, findEmailError, invalid, NO_MAIL } from '../errors.ts';
import { hasMail, prepareMail } from './mail.ts';
import { LINK_SECONDS, type Purpose } from './mail-token.ts';

/** Maximum mails per network and minute. */
const NETWORK_MAILS = 10;
/** Maximum mails of one kind per address and hour, so that nobody can flood somebody else's mailbox. */
const ADDRESS_MAILS = 5;
const HOUR = 3600;

interface MailWish {
  readonly address: string | undefined;
  /** The event that sends the mail. */
  readonly event: string;
  readonly purpose: Purpose;
}

/**
 * Requests a mail to an address. The answer, and the work before it, is the same whether or not
 * the address has an account: a later event checks that.
 */
export async function askForMail(
  context: Context,
  { request, response }: Exchange,
  { address = '', event, purpose }: MailWish,
): Promise<Rejection | { auth_slug: string }> {
  const { limiter } = context.services;
  const slug = normalizeEmail(address);
  if (slug === '') return invalid({ auth_slug: EMPTY });
  const error = findEmailError(slug);
  if (error !== undefined) return invalid({ auth_slug: error });
  if (!hasMail(context)) return reject(NO_MAIL);
  const network = toNetwork(toAddress(request));
  const turn = network === '' ? undefined : limiter.take(`auth:mail:${network}`, NETWORK_MAILS, 60);
  if (turn && !turn.isAllowed) {
    response.addHeader('retry-after', String(turn.retrySeconds));
    const message = translate('Too many mails were asked for from your network. Try again in {seconds} seconds.', {
      seconds: turn.retrySeconds,
    });
    return reject({ status: 429, code: 'ATTEMPTS_TOO_MANY', message });
  }
  // Beyond this the answer stays the same and no mail is sent.
  if (limiter.take(`auth:mail:${purpose}:${digest(slug)}`, ADDRESS_MAILS, HOUR).isAllowed) {
    const answer = await prepareMail(context, { event, stage: { auth_slug: slug }, seconds: LINK_SECONDS[purpose] });
    if (answer.isError())
      return reject({ status: answer.getStatus(), code: answer.refusal?.code, message: answer.getMessage() ?? '' });
  }
  return { auth_slug: slug };
}
