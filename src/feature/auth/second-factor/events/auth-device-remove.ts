import type { EventContribution } from '../../../../plan/feature.ts';
import { parseId } from '../../account/account.ts';
import { NOBODY } from '../../errors.ts';
import { findSelectedAuth } from '../../find-requested.ts';
import { dropTrust } from '../trusted-device.ts';

export const authDeviceRemove: EventContribution = {
  name: 'auth-device-remove',
  description: 'Takes the trust from one device of an account, or from all: their next login asks for the second step.',
  stage: {
    auth_id: 'The account, or use `auth_slug`.',
    auth_slug: 'Its e-mail address.',
    device: 'Id of the device. Default: all of them.',
  },
  results: '`removed`, how many devices.',
  kind: 'silent',
  listen:
    ({ services: { database } }) =>
    async (request, response) => {
      const auth = await findSelectedAuth(database, request);
      if (!auth) return response.refuse(NOBODY);
      const deviceId = request.getStage('device');
      const device = parseId(deviceId);
      const missing = { status: 404, message: 'There is no such device; its time may be over.' };
      if (deviceId !== undefined && device === undefined) return response.refuse(missing);
      const removed = await database.write(() => dropTrust(database, auth.auth_id, device));
      if (device !== undefined && removed === 0) return response.refuse(missing);
      response.succeed({ removed });
    },
};
