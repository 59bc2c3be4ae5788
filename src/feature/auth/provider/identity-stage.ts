import type * as z from 'zod';
import type { Request } from '../../../core/request/request.ts';
import { normalizeEmail } from '../../../core/text/email.ts';
import type { Row } from '../../../database/row-statement.ts';
import { toOneLine } from '../../../model/field/one-line.ts';
import { flag, onlyText } from '../../../plan/event/value.ts';
import type { Identity } from './identity.ts';

/** Stage keys of an identity. */
export const identityKeys = () => ({
  provider: onlyText('Name of the provider in the settings.'),
  issuer: onlyText('The provider, as it names itself.'),
  subject: onlyText("The user's key there. Issuer and subject together name the user."),
  email: onlyText('E-mail, if the provider tells it.'),
  email_verified: flag('1 if the provider says that the e-mail belongs to the user.'),
  name: onlyText('Name, if the provider tells it.'),
});

type IdentityStage = z.output<z.ZodObject<ReturnType<typeof identityKeys>>>;

/** The names of {@link identityKeys}. */
export const IDENTITY_NAMES = ['provider', 'issuer', 'subject', 'email', 'email_verified', 'name'] as const;

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
export function parseIdentity(stage: IdentityStage, request: Request): Identity | undefined {
  if (request.callFacts !== undefined) return undefined;
  if (IDENTITY_NAMES.some((name) => request.isBrought(name))) return undefined;
  const { provider, issuer, subject, email, email_verified: isVerified, name = '' } = stage;
  if (!provider || !issuer || !subject) return undefined;
  const address = email ? normalizeEmail(email) : undefined;
  return { provider, issuer, subject, email: address, isVerified, name: toOneLine(name) || undefined };
}
