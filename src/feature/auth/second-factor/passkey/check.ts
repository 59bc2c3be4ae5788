import { createHmac } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import * as z from 'zod';
import { defer } from '../../../../core/memoize.ts';
import type { Request } from '../../../../core/request/request.ts';
import { isSameSecret } from '../../../../core/secret/secret.ts';
import { noteOthers } from '../../../../core/text/rule-note.ts';
import type { Row } from '../../../../database/row-statement.ts';
import { type Rejection, reject } from '../../../../plan/event/event.ts';
import { anything, text as textKey } from '../../../../plan/event/value.ts';
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

/** What a page sends of a passkey. */
export interface SentCredential {
  /** The answer as JSON. */
  readonly credential?: unknown;
  /** Of the challenge that it answers. */
  readonly state?: string | undefined;
}

/** The keys of a passkey's answer in a stage. */
export const credentialKeys = (description: string) => ({
  credential: anything(description),
  state: textKey('With `credential`.'),
});

/** Refuses the answer of a passkey. */
export function rejectCredential(message: string): Rejection {
  noteOthers({ message });
  return reject({ status: 422, code: 'PASSKEY_REFUSED', message, validation: { credential: message } });
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
 * Checks the answer of a passkey to a challenge. Takes the challenge and
 * notes the use. As the only factor it needs user verification (a PIN, a finger); as the second one not.
 */
export async function checkPasskey(
  context: Context,
  request: Request,
  { credential, state = '' }: SentCredential,
  check: Check,
): Promise<AuthRow | Rejection> {
  const { services } = context;
  const { database } = services;
  const { purpose } = check;
  const answer = parseCredential(Answer, credential);
  const challenge = findChallenge(services, request, state, { purpose, authId: check.auth?.auth_id ?? 0 });
  if (!challenge) return rejectCredential(EXPIRED);
  const passkey = answer && (await findPasskey(services, answer.id));
  if (!answer || !passkey) return rejectCredential(REFUSED);
  const authId = Number(passkey.auth_id);
  if (check.auth !== undefined && check.auth.auth_id !== authId) return rejectCredential(REFUSED);
  const handle = toHandle(services, authId).toString('base64url');
  const given = answer.response.userHandle ?? '';
  // Without a password only the handle says who logs in. A key that keeps none may leave it out as second factor.
  if ((purpose === 'login' || given !== '') && !isSameSecret(given, handle)) return rejectCredential(REFUSED);
  const counter = await verify(context, { answer, passkey, challenge, needsUser: purpose === 'login' });
  if (counter === undefined) return rejectCredential(REFUSED);
  const isTaken = await database.write(
    async () =>
      (await takeChallenge(services, challenge.challenge, challenge.until)) &&
      (await countUse(services, { passkeyId: Number(passkey.passkey_id), counter })),
  );
  if (!isTaken) return rejectCredential(EXPIRED);
  return check.auth ?? (await findAuth(database, 'auth_id', authId)) ?? rejectCredential(REFUSED);
}
