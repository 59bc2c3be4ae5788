import type { Services } from '../../../plan/feature.ts';
import { removeTokens } from '../mail/mail-token.ts';
import { deleteLinks } from '../provider/sql.ts';
import { deleteAll } from '../second-factor/factors.ts';
import { dropRecovery } from '../second-factor/recovery.ts';
import { dropTrust } from '../second-factor/trusted-device.ts';
import { lockAuth } from '../sql.ts';

/**
 * Takes from an account what was added before anybody proved its e-mail: second factors, recovery codes, trusted
 * devices, linked providers and mailed links. Somebody else may have signed up with the address and waited
 * (pre-hijacking). Runs in the transaction that marks the e-mail as verified.
 *
 * @returns The account's columns to change with it.
 */
export async function dropUnproven(services: Services, authId: number): Promise<{ auth_second_factor: string }> {
  const { database } = services;
  // A factor that is being added at the same time comes before or after, not in between.
  await lockAuth(database, authId);
  await deleteAll(services, authId);
  await dropRecovery(services, authId);
  await dropTrust(database, authId);
  await deleteLinks(database, authId);
  await removeTokens(database, authId);
  return { auth_second_factor: '' };
}
