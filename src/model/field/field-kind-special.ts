import { isIP } from 'node:net';
import * as z from 'zod';
import { moment } from './field-kind-date.ts';
import { flag } from './field-kind-option.ts';
import { coerceText, createKind, type FieldKind, TEXT } from './field-kind-row.ts';

/** A random UUID (version 4). @see RFC 9562 section 5.4 */
function toUuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const hidden = { element: 'none' } as const;
const time = { ...moment, group: 'special', isSystem: true, control: hidden } as const;

export const specialKinds: Readonly<
  Record<'none' | 'uuid' | 'ipaddress' | 'active' | 'created' | 'updated' | 'computed', FieldKind>
> = {
  none: createKind({
    type: 'none',
    description: 'No column: a place for a format that is computed, or for a heading.',
    group: 'none',
    sql: undefined,
    coerce: () => null,
    shape: () => z.unknown(),
    expects: () => 'has no value',
    control: hidden,
    isSystem: true,
    prepare: () => null,
  }),
  uuid: createKind({
    type: 'uuid',
    description: 'A random identifier, made when the row is created.',
    group: 'special',
    sql: TEXT,
    coerce: coerceText,
    shape: () => z.string().regex(UUID),
    expects: () => 'must be a UUID',
    jsonSchema: () => ({ type: 'string', format: 'uuid' }),
    control: hidden,
    isText: true,
    isSystem: true,
    flags: { searchable: true, filterable: true, sortable: false },
    prepare: (_value, { random }) => toUuid(random(16)),
  }),
  ipaddress: createKind({
    type: 'ipaddress',
    description: 'The address of whoever created the row.',
    group: 'special',
    sql: TEXT,
    coerce: coerceText,
    shape: () => z.string().refine((text) => isIP(text) !== 0),
    expects: () => 'must be an IP address',
    // Of either version: tools know one format, and no choice of formats.
    jsonSchema: () => ({ type: 'string', examples: ['192.0.2.1'] }),
    control: hidden,
    isText: true,
    isSystem: true,
    flags: { searchable: true, filterable: true, sortable: false },
    prepare: (_value, { address }) => address ?? null,
  }),
  active: createKind({
    ...flag,
    type: 'active',
    description: 'Whether the row is there: 0 once it was removed, so that it can be restored.',
    group: 'special',
    control: hidden,
    isSystem: true,
    flags: { searchable: false, filterable: true, sortable: true },
  }),
  created: createKind({ ...time, type: 'created', description: 'When the row was created, set by Treadle.' }),
  updated: createKind({ ...time, type: 'updated', description: 'When the row was last changed, set by Treadle.' }),
  // A column of it has the kind of its values: this one is that of the definition.
  computed: createKind({
    type: 'computed',
    description: 'A value that the database computes of the row by `expression`, such as `price * quantity`.',
    group: 'special',
    sql: TEXT,
    coerce: () => null,
    shape: () => z.unknown(),
    expects: () => 'is computed',
    control: hidden,
    isSystem: true,
    flags: { searchable: false, filterable: true, sortable: true },
    prepare: () => null,
  }),
};
