import { createHmac } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { defer } from '../../../../core/memoize.ts';
import { isSameSecret } from '../../../../core/secret/secret.ts';
import type { Row } from '../../../../database/row-statement.ts';
import type { Exchange } from '../../../../page/exchange.ts';
import type { Context, Services } from '../../../../plan/feature.ts';
import { type AuthRow, findAuth } from '../../sql.ts';
import { type Challenge, findChallenge } from './challenge.ts';
import { findRelyingParty } from './relying-party.ts';
import { countUse, findPasskey, takeChallenge } from './sql.ts';

const text = defer(() => z.string().max(16_384));
const Answer = defer(() =>
  z.object({
    id: text,
    rawId: text,
    type: z.literal('public-key'),
    response: z.object({
      clientDataJSON: text,
      authenticatorData: text,
      signature: text,
      userHandle: text.nullish(),
    }),
  }),
);

/** Longest answer as JSON. */
const MOST = 65_536;
const REFUSED = 'The passkey was not accepted. Try again, or use another way.';
const EXPIRED = 'The passkey was asked for too long ago, or in another window. Try again.';

/** JSON of a posted credential in this shape; undefined if it has another. */
export function parseCredential<T>(shape: z.ZodType<T>, posted: unknown): T | undefined {
  if (typeof posted !== 'string' || posted.length > MOST) return undefined;
  try {
    return shape.safeParse(JSON.parse(posted)).data;
  } catch {
    return undefined;
  }
}

/** Names an account to its passkeys without its id or e-mail: 256 bits. @see WebAuthn section 14.6.1 */
export const toHandle = ({ secret }: Pick<Services, 'secret'>, authId: number): Buffer =>
  createHmac('sha256', secret.derive(['auth', 'passkey', 'user']))
    .update(String(authId))
    .digest();

function refuse({ response }: Exchange, message: string): undefined {
  response.refuse({ status: 422, message, validation: { credential: message } });
  return undefined;
}

interface PasskeyCheck {
  readonly answer: z.infer<typeof Answer>;
  readonly passkey: Row;
  readonly challenge: Challenge;
  readonly needsUser: boolean;
}

/** Verifies signature, origin and counter. Returns the new counter; undefined if anything is wrong. */
async function verify({ services }: Context, { answer, passkey, challenge, needsUser }: PasskeyCheck) {
  const party = findRelyingParty(services);
  if (!party) return undefined;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: needsUser,
      credential: {
        id: String(passkey.credential_id),
        publicKey: new Uint8Array(Buffer.from(String(passkey.public_key), 'base64url')),
        counter: Number(passkey.counter),
      },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch (error) {
    services.log.info('a passkey was refused', { error });
    return undefined;
  }
}

export interface Check {
  readonly purpose: 'login' | 'step';
  /** Whose passkey it must be; undefined: the passkey says who. */
  readonly auth?: AuthRow;
}

/**
 * Checks the stage's `credential`: the answer of a passkey to the challenge of the stage's `state`. Takes the challenge and
 * notes the use. As the only factor it needs user verification (a PIN, a finger); as the second one not.
 * @returns The account; undefined after a refusal.
 */
export async function checkPasskey(context: Context, exchange: Exchange, check: Check): Promise<AuthRow | undefined> {
  const { services } = context;
  const { database } = services;
  const { purpose } = check;
  const answer = parseCredential(Answer, exchange.request.getStage('credential'));
  const challenge = findChallenge(services, exchange.request, { purpose, authId: check.auth?.auth_id ?? 0 });
  if (!challenge) return refuse(exchange, EXPIRED);
  const passkey = answer && (await findPasskey(services, answer.id));
  if (!answer || !passkey) return refuse(exchange, REFUSED);
  const authId = Number(passkey.auth_id);
  if (check.auth !== undefined && check.auth.auth_id !== authId) return refuse(exchange, REFUSED);
  const handle = toHandle(services, authId).toString('base64url');
  const given = answer.response.userHandle ?? '';
  // Without a password only the handle says who logs in. A key that keeps none may leave it out as second factor.
  if ((purpose === 'login' || given !== '') && !isSameSecret(given, handle)) return refuse(exchange, REFUSED);
  const counter = await verify(context, { answer, passkey, challenge, needsUser: purpose === 'login' });
  if (counter === undefined) return refuse(exchange, REFUSED);
  const isTaken = await database.write(
    async () =>
      (await takeChallenge(services, challenge.challenge, challenge.until)) &&
      (await countUse(services, { passkeyId: Number(passkey.passkey_id), counter })),
  );
  if (!isTaken) return refuse(exchange, EXPIRED);
  return check.auth ?? findAuth(database, 'auth_id', authId);
}
