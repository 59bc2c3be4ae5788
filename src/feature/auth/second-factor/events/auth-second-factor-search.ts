import * as z from 'zod';
import { columnToStamp } from '../../../../core/clock.ts';
import type { Row } from '../../../../database/row-statement.ts';
import { defineEvent, reject } from '../../../../plan/event/event.ts';
import { accountKeys } from '../../account/account-stage.ts';
import { NOBODY } from '../../errors.ts';
import { findSelectedAuth } from '../../find-requested.ts';
import { findTotp } from '../factors.ts';
import { listPasskeys } from '../passkey/sql.ts';
import { countRecovery } from '../recovery.ts';
import { deviceRow, listTrusted } from '../trusted-device.ts';

const toFactor = (kind: 'totp' | 'passkey', id: unknown, name: unknown, { created_at, used_at }: Row) => ({
  kind,
  id: Number(id),
  name: String(name),
  created: columnToStamp(created_at),
  used: columnToStamp(used_at),
});

export const authSecondFactorSearch = defineEvent({
  name: 'auth-second-factor-search',
  description: 'Lists the second factors of an account, without their secrets.',
  kind: 'silent',
  stage: () => z.object(accountKeys()),
  results: () =>
    z
      .object({
        rows: z.array(
          z.object({
            kind: z.enum(['totp', 'passkey']),
            id: z.number(),
            name: z.string(),
            created: z.string().nullable(),
            used: z.string().nullable(),
          }),
        ),
        recovery_codes: z.number(),
        devices: z.array(deviceRow()),
      })
      .describe(
        '`rows`, each with `kind` (`totp` or `passkey`), `id`, `name`, `created` and `used`; `recovery_codes`, how many are left; `devices` that need no second step.',
      ),
  async run(selection, { services }) {
    const auth = await findSelectedAuth(services.database, selection);
    if (!auth) return reject(NOBODY);
    const totp = await findTotp(services, auth.auth_id);
    const passkeys = await listPasskeys(services, auth.auth_id);
    const rows = [
      ...(totp ? [toFactor('totp', totp.totp_id, 'Authenticator app', totp)] : []),
      ...passkeys.map((row) => toFactor('passkey', row.passkey_id, row.name, row)),
    ];
    const recovery_codes = await countRecovery(services, auth.auth_id);
    return { rows, recovery_codes, devices: await listTrusted(services, auth.auth_id) };
  },
});
