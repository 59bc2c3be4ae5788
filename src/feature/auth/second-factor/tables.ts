import type { SystemTable } from '../../../database/database.ts';
import { AUTH } from '../sql.ts';

const ofAccount = { name: 'auth_id', type: 'integer', isRequired: true, references: `${AUTH}.auth_id` } as const;

/** The tables of second factors. Rows go with their account. */
export const secondFactorTables: readonly SystemTable[] = [
  {
    name: 'treadle_auth_totp',
    columns: [
      { name: 'totp_id', type: 'id' },
      ofAccount,
      // The seed, sealed under TREADLE_SECRET.
      { name: 'sealed', type: 'text', isRequired: true },
      // The time step of the last code that was used: it and those before are refused.
      { name: 'last_step', type: 'integer', isRequired: true },
      { name: 'created_at', type: 'integer', isRequired: true },
      { name: 'used_at', type: 'integer' },
    ],
    indexes: [{ name: 'treadle_auth_totp_auth_id', columns: ['auth_id'], isUnique: true }],
  },
  {
    name: 'treadle_auth_recovery',
    columns: [
      // A keyed hash of account and code, so that a copy of the table cannot be searched for codes.
      { name: 'key', type: 'key' },
      ofAccount,
      { name: 'created_at', type: 'integer', isRequired: true },
    ],
    indexes: [{ name: 'treadle_auth_recovery_auth_id', columns: ['auth_id'] }],
  },
  {
    name: 'treadle_auth_passkey',
    columns: [
      { name: 'passkey_id', type: 'id' },
      ofAccount,
      // SHA-256 of the credential id, which may have 1023 bytes.
      { name: 'credential_key', type: 'text', isRequired: true },
      { name: 'credential_id', type: 'text', isRequired: true },
      { name: 'public_key', type: 'text', isRequired: true },
      { name: 'counter', type: 'integer', isRequired: true },
      { name: 'transports', type: 'text', isRequired: true, default: '' },
      { name: 'name', type: 'text', isRequired: true },
      { name: 'created_at', type: 'integer', isRequired: true },
      { name: 'used_at', type: 'integer' },
    ],
    indexes: [
      { name: 'treadle_auth_passkey_key', columns: ['credential_key'], isUnique: true },
      { name: 'treadle_auth_passkey_auth_id', columns: ['auth_id'] },
    ],
  },
  {
    name: 'treadle_auth_device',
    columns: [
      { name: 'device_id', type: 'id' },
      ofAccount,
      // SHA-256 of the token in the browser's cookie.
      { name: 'key', type: 'text', isRequired: true },
      { name: 'browser', type: 'text', isRequired: true },
      { name: 'address', type: 'text', isRequired: true },
      { name: 'created_at', type: 'integer', isRequired: true },
      { name: 'used_at', type: 'integer', isRequired: true },
      { name: 'expires_at', type: 'integer', isRequired: true },
    ],
    indexes: [
      { name: 'treadle_auth_device_key', columns: ['key'], isUnique: true },
      { name: 'treadle_auth_device_auth_id', columns: ['auth_id'] },
    ],
  },
  {
    name: 'treadle_auth_challenge',
    columns: [
      // SHA-256 of a passkey's challenge that was answered: it is refused from then on.
      { name: 'key', type: 'key' },
      { name: 'expires_at', type: 'integer', isRequired: true },
    ],
    indexes: [{ name: 'treadle_auth_challenge_expires_at', columns: ['expires_at'] }],
  },
];
