import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { defer } from '../../../../core/memoize.ts';
import { translate } from '../../../../core/text/translate.ts';
import { isOneLine } from '../../../../model/field/one-line.ts';
import type { Rejection } from '../../../../plan/event/event.ts';
import type { Context, EventExchange } from '../../../../plan/feature.ts';
import { invalid } from '../../errors.ts';
import type { AuthRow } from '../../sql.ts';
import { changeFactors, type FactorOutcome } from '../factors.ts';
import { findChallenge } from './challenge.ts';
import { parseCredential, rejectCredential, type SentCredential } from './check.ts';
import { findRelyingParty } from './relying-party.ts';
import { insertPasskey, listPasskeys, type NewPasskey, takeChallenge } from './sql.ts';

const text = defer(() => z.string().max(49_152));
const Attestation = defer(() =>
  z.object({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: text,
      attestationObject: text,
      transports: z
        .array(z.string().regex(/^[a-z-]{1,20}$/))
        .max(10)
        .catch([]),
    }),
  }),
);

export const NAME_MOST = 100;
/** Passkeys of an account. */
const MOST = 20;

const FAILED = 'The passkey was not accepted. Try again.';

/** A name of a passkey without blanks around it, with the messages of what is wrong with it. */
export function parseName(value: string | undefined): { readonly name: string; readonly fault: string | undefined } {
  const name = (value ?? '').trim();
  if (name === '') return { name, fault: 'Cannot be empty' };
  if (!isOneLine(name)) return { name, fault: 'Should be one line without control characters' };
  return {
    name,
    fault:
      name.length > NAME_MOST ? translate('Should have at most {count} characters', { count: NAME_MOST }) : undefined,
  };
}

/** Verifies the answer of a new passkey; undefined if anything is wrong. */
async function verify(context: Context, posted: unknown, challenge: string) {
  const { services } = context;
  const party = findRelyingParty(services);
  const answer = parseCredential(Attestation, posted);
  if (!party || !answer) return undefined;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
    });
    return verified ? { credential: registrationInfo.credential, transports: answer.response.transports } : undefined;
  } catch (error) {
    services.log.info('a new passkey was refused', { error });
    return undefined;
  }
}

/** Adds a passkey to an account, under a name. */
export async function registerPasskey(
  context: Context,
  exchange: EventExchange,
  auth: AuthRow,
  { credential, state = '', ...sent }: SentCredential & { readonly name?: string | undefined },
): Promise<FactorOutcome | Rejection> {
  const { services } = context;
  const { name, fault } = parseName(sent.name);
  if (fault !== undefined) return invalid({ name: fault });
  const challenge = findChallenge(services, exchange.request, state, { purpose: 'create', authId: auth.auth_id });
  if (!challenge) {
    return rejectCredential('The passkey was asked for too long ago, or in another window. Try again.');
  }
  if ((await listPasskeys(services, auth.auth_id)).length >= MOST) {
    return rejectCredential(`An account has ${MOST} passkeys at most. Remove one first.`);
  }
  const made = await verify(context, credential, challenge.challenge);
  if (!made) return rejectCredential(FAILED);
  const { id, publicKey, counter } = made.credential;
  const passkey: NewPasskey = {
    authId: auth.auth_id,
    credentialId: id,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: made.transports,
    name,
  };
  const write = async (): Promise<boolean> =>
    (await takeChallenge(services, challenge.challenge, challenge.until)) && (await insertPasskey(services, passkey));
  const factor = `the passkey “${name}”`;
  const change = { mail: 'auth-factor-added', factor, write } as const;
  return (await changeFactors(context, exchange, { auth, change })) ?? rejectCredential(FAILED);
}
