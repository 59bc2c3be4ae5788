import type { SystemTable } from '../../database/database.ts';

/** What happened: one row commits with the data that it reports. `sequence` counts up, so that receivers can order. */
const eventTable: SystemTable = {
  name: 'treadle_event',
  columns: [
    { name: 'sequence', type: 'id' },
    { name: 'event_id', type: 'text', isRequired: true },
    { name: 'hook', type: 'text', isRequired: true },
    { name: 'type', type: 'text', isRequired: true },
    // Text rather than JSON: every retry sends these very bytes.
    { name: 'data', type: 'text', isRequired: true },
    { name: 'profile_id', type: 'integer' },
    // How it is written, where not as `standard`, and the site's address then: every retry is written alike.
    { name: 'format', type: 'text' },
    { name: 'source', type: 'text' },
    { name: 'created_at', type: 'integer', isRequired: true },
  ],
  indexes: [
    { name: 'treadle_event_event_id', columns: ['event_id'], isUnique: true },
    { name: 'treadle_event_created_at', columns: ['created_at'] },
  ],
};

/** One event for one receiver. Its turn is a job of the queue; `next_at` is for people. */
const deliveryTable: SystemTable = {
  name: 'treadle_delivery',
  columns: [
    { name: 'delivery_id', type: 'id' },
    { name: 'event_id', type: 'text', isRequired: true },
    { name: 'receiver', type: 'text', isRequired: true },
    { name: 'hook', type: 'text', isRequired: true },
    { name: 'url', type: 'text', isRequired: true },
    { name: 'client_id', type: 'text' },
    { name: 'state', type: 'text', isRequired: true, default: 'pending' },
    { name: 'attempts', type: 'integer', isRequired: true, default: 0 },
    // Attempts that were made before it was last sent again by hand: the schedule starts over from there.
    { name: 'attempts_before', type: 'integer', isRequired: true, default: 0 },
    { name: 'next_at', type: 'integer' },
    { name: 'status', type: 'integer' },
    { name: 'error', type: 'text' },
    { name: 'created_at', type: 'integer', isRequired: true },
    { name: 'settled_at', type: 'integer' },
  ],
  indexes: [
    { name: 'treadle_delivery_receiver', columns: ['event_id', 'receiver'], isUnique: true },
    { name: 'treadle_delivery_hook', columns: ['hook', 'state', 'delivery_id'] },
    { name: 'treadle_delivery_to', columns: ['receiver', 'state', 'delivery_id'] },
    { name: 'treadle_delivery_client', columns: ['client_id', 'delivery_id'] },
  ],
};

const attemptTable: SystemTable = {
  name: 'treadle_attempt',
  columns: [
    { name: 'attempt_id', type: 'id' },
    { name: 'delivery_id', type: 'integer', isRequired: true, references: 'treadle_delivery.delivery_id' },
    { name: 'number', type: 'integer', isRequired: true },
    { name: 'status', type: 'integer' },
    { name: 'error', type: 'text' },
    { name: 'milliseconds', type: 'integer', isRequired: true },
    { name: 'request_head', type: 'text' },
    { name: 'response_head', type: 'text' },
    { name: 'response_body', type: 'text' },
    { name: 'at', type: 'integer', isRequired: true },
  ],
  indexes: [
    { name: 'treadle_attempt_delivery', columns: ['delivery_id', 'number'], isUnique: true },
    // Counts of late, from the index alone.
    { name: 'treadle_attempt_at', columns: ['at', 'status'] },
  ],
};

/** What is remembered of a receiver: whether it still answers, and which secret it knows. Its key hashes hook, URL and app. */
const receiverTable: SystemTable = {
  name: 'treadle_receiver',
  columns: [
    { name: 'receiver', type: 'key' },
    { name: 'hook', type: 'text', isRequired: true },
    { name: 'url', type: 'text', isRequired: true },
    { name: 'client_id', type: 'text' },
    // Rises with the hook's `secretVersion` and with the app's: what the newest secret is made from.
    { name: 'version', type: 'integer', isRequired: true },
    // The hook's part of it.
    { name: 'hook_version', type: 'integer' },
    { name: 'previous_version', type: 'integer' },
    { name: 'rotated_at', type: 'integer' },
    { name: 'failing_since', type: 'integer' },
    { name: 'disabled_at', type: 'integer' },
    { name: 'disabled_reason', type: 'text' },
    { name: 'created_at', type: 'integer', isRequired: true },
  ],
  indexes: [{ name: 'treadle_receiver_hook', columns: ['hook'] }],
};

export const webhookTables: readonly SystemTable[] = [eventTable, deliveryTable, attemptTable, receiverTable];

export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'disabled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
