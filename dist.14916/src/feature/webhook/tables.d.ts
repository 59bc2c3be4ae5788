import type { SystemTable } from '../../database/database.ts';
export declare const webhookTables: readonly SystemTable[];
export declare const DELIVERY_STATES: readonly ['pending', 'delivered', 'failed', 'disabled'];
export type DeliveryState = (typeof DELIVERY_STATES)[number];
