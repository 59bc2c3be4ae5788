import { Readable } from 'node:stream';
import type { Row } from '../../database/database.ts';
import type { Context } from '../../plan/feature.ts';
import { type AuthRow } from './sql.ts';
/**
 * What the site stores of a user, as a stream: it may be long.
 * @param more Sessions, second factors and providers, without secrets.
 */
export declare const streamOwnData: (context: Context, auth: AuthRow, more: Row) => Readable;
