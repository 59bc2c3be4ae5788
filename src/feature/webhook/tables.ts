import type { SystemTable } from '../../database/database.ts';

/**
 * Events: one row commits with the data that it reports. `sequence` increases, so that receivers can order
 * events.
 */
const eventTable: SystemTable = {
  name: 'treadle_event',
  columns: [
    { name: 'sequence', type: 'id' },
    { name: 'event_id', type: 'text', isRequired: true },
    { name: 'hook', type: 'text', isRequired: true },
    { name: 'type', type: 'text', isRequired: true },
    // Text, not JSON: every retry sends exactly these bytes.
    { name: 'data', type: 'text', isRequired: true },
    { name: 'profile_id', type: 'integer' },
    // The format, unless `standard`, and the site's address at that time: every retry has the same format.
    { name: 'format', type: 'text' },
    { name: 'source', type: 'text' },
    { name: 'created_at', type: 'integer', isRequired: true },
  ],
  indexes: [
    { name: 'treadle_event_event_id', columns: ['event_id'], isUnique: true },
    { name: 'treadle_event_created_at', columns: ['created_at'] },
  ],
};

/** One event for one receiver. The queue has the job; `next_at` is for display. */
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
    // Attempts before the last replay by hand: the schedule starts over from there.
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
    // For recent counts, from the index alone.
    { name: 'treadle_attempt_at', columns: ['at', 'status'] },
  ],
};

/**
 * State of a receiver: whether it responds, and which secret it knows. Its key is a hash of hook, URL and
 * app.
 */
const receiverTable: SystemTable = {
  name: 'treadle_receiver',
  columns: [
    { name: 'receiver', type: 'key' },
    { name: 'hook', type: 'text', isRequired: true },
    { name: 'url', type: 'text', isRequired: true },
    { name: 'client_id', type: 'text' },
    // Rises with the `secretVersion` of the hook and of the app: derives the newest secret.
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
