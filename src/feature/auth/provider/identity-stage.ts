import type { Request } from '../../../core/request/request.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toOneLine } from '../../../model/field/one-line.ts';
import { readText } from '../account/account.ts';
import type { Identity } from './identity.ts';

/** Stage keys of an identity. */
export const IDENTITY_STAGE = {
  provider: 'Name of the provider in the settings.',
  issuer: 'The provider, as it names itself.',
  subject: "The user's key there. Issuer and subject together name the user.",
  email: 'E-mail, if the provider tells it.',
  email_verified: '1 if the provider says that the e-mail belongs to the user.',
  name: 'Name, if the provider tells it.',
} as const;

export const toIdentityStage = ({ provider, issuer, subject, email, isVerified, name }: Identity): Row => ({
  provider,
  issuer,
  subject,
  ...(email === undefined ? {} : { email }),
  email_verified: isVerified ? 1 : 0,
  ...(name === undefined ? {} : { name }),
});

/**
 * The identity that code put into the stage. Undefined if something is missing, or if any of it came with the request:
 * whoever could send an identity could open every account.
 */
export function parseIdentity(request: Request): Identity | undefined {
  if (request.callFacts !== undefined) return undefined;
  if (Object.keys(IDENTITY_STAGE).some((name) => request.isBrought(name))) return undefined;
  const [provider, issuer, subject, email, name] = (['provider', 'issuer', 'subject', 'email', 'name'] as const).map(
    (key) => readText(request.getStage(key)),
  );
  if (!provider || !issuer || !subject) return undefined;
  const isVerified = String(request.getStage('email_verified')) === '1';
  const address = email ? normalizeEmail(email) : undefined;
  return { provider, issuer, subject, email: address, isVerified, name: toOneLine(name ?? '') || undefined };
}
