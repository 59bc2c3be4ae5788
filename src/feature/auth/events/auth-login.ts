import { hashPassword, isPasswordOutdated, verifyPassword } from '../../../core/password.ts';
import type { Request } from '../../../core/request.ts';
import type { Response } from '../../../core/response.ts';
import type { Context, EventContribution } from '../../../plan/feature.ts';
import { refuse, succeed, toAccount, toAddress, toSlug, toText } from '../account.ts';
import { EMAIL_MOST, EMPTY, INACTIVE, invalid, LOGIN_WRONG } from '../errors.ts';
import { guess } from '../guesses.ts';
import { PASSWORD_MOST } from '../password-rule.ts';
import { findAuth, findProfile, updateAuth } from '../sql.ts';

async function logIn(context: Context, request: Request, response: Response): Promise<void> {
  const { services } = context;
  const slug = toSlug(request.getStage('auth_slug'));
  const password = toText(request.getStage('auth_password'));
  const faults: Record<string, string> = {};
  if (slug === '') faults.auth_slug = EMPTY;
  if (password === '') faults.auth_password = EMPTY;
  if (Object.keys(faults).length > 0) return refuse(response, invalid(faults));
  // Nobody's, and not worth remembering: failures are kept by e-mail, and a body may hold a megabyte of it.
  if (slug.length > EMAIL_MOST || password.length > PASSWORD_MOST * 2 || [...password].length > PASSWORD_MOST) {
    return refuse(response, LOGIN_WRONG);
  }

  const auth = await findAuth(services.database, 'auth_slug', slug);
  const keys = { account: slug, address: toAddress(request) };
  // Nobody's password takes as long to check as somebody's: the answer's time does not tell who has an account.
  const { isRight, waitSeconds } = await guess(services, keys, () => verifyPassword(password, auth?.auth_password));
  if (waitSeconds > 0) {
    response.addHeader('retry-after', String(waitSeconds));
    const message = `Too many attempts. Try again in ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`;
    return refuse(response, { status: 429, message });
  }
  if (!isRight || !auth) return refuse(response, LOGIN_WRONG);
  if (auth.auth_active !== 1) return refuse(response, INACTIVE);
  if (isPasswordOutdated(auth.auth_password)) {
    const hash = await hashPassword(password, services.random);
    await services.database.write(() => updateAuth(services.database, auth.auth_id, { auth_password: hash }));
  }
  const account = toAccount(context.plan.model, auth, await findProfile(services.database, auth.profile_id));
  // Only now: checking a password takes a tenth of a second, for which a transaction would keep all who write.
  await services.database.write(async () => {
    succeed(response, account);
    await context.committing('auth-login', request, response);
  });
}

export const authLogin: EventContribution = {
  event: 'auth-login',
  description: 'Checks an e-mail and a password; guessing is slowed per account and per address.',
  stage: { auth_slug: 'E-mail address.', auth_password: 'Password.' },
  results: 'The account and its profile in one row, without the password.',
  commits: 'self',
  listen: (context) => (request, response) => logIn(context, request, response),
};
