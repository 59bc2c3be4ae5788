import type { SystemTable } from '../../database/database.ts';

export const KEY = 'treadle_idempotency';

/** Answers to requests with an `Idempotency-Key`. */
export const tables: readonly SystemTable[] = [
  {
    name: KEY,
    columns: [
      // SHA-256 of the sender and the key.
      { name: 'key_hash', type: 'key' },
      // SHA-256 of method, path, query and body.
      { name: 'fingerprint', type: 'text', isRequired: true },
      { name: 'status', type: 'integer', isRequired: true, default: 0 },
      // Headers and body, sealed: an answer may contain private data.
      { name: 'answer', type: 'text' },
      // Unix seconds.
      { name: 'created_at', type: 'integer', isRequired: true },
    ],
    indexes: [{ name: 'treadle_idempotency_created', columns: ['created_at'] }],
  },
];
