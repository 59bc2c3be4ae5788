import * as z from 'zod';
import { defineEvent, reject } from '../../../../plan/event/event.ts';
import { optionalLookupId } from '../../../../plan/event/value.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { NOBODY } from '../../errors.ts';
import { findSelectedAuth } from '../../find-requested.ts';
import { dropTrust } from '../trusted-device.ts';

export const authDeviceRemove = defineEvent({
  name: 'auth-device-remove',
  description: 'Takes the trust from one device of an account, or from all: their next login asks for the second step.',
  kind: 'silent',
  stage: () => z.object({ ...accountKeys(), device: optionalLookupId('Id of the device. Default: all of them.') }),
  results: () => z.object({ removed: z.number() }).describe('`removed`, how many devices.'),
  async run({ device, ...selection }, { services: { database } }) {
    const auth = await findSelectedAuth(database, selection);
    if (!auth) return reject(NOBODY);
    const removed = await database.write(() => dropTrust(database, auth.auth_id, device));
    if (device !== undefined && removed === 0) {
      return reject({ status: 404, code: 'DEVICE_MISSING', message: 'There is no such device; its time may be over.' });
    }
    return { removed };
  },
});
