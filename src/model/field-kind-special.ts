import { isIP } from 'node:net';
import * as z from 'zod';
import { moment } from './field-kind-date.ts';
import { toFlag } from './field-kind-number.ts';
import { type FieldKind, INTEGER, TEXT, toKind, toText } from './field-kind-row.ts';

/** A random identifier as RFC 9562 section 5.4 (version 4) writes it. */
function toUuid(bytes: Buffer): string {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const hidden = { element: 'none' } as const;
const time = { ...moment, group: 'special', isSystem: true, control: hidden } as const;

export const specialKinds: Readonly<
  Record<'none' | 'uuid' | 'ipaddress' | 'active' | 'created' | 'updated', FieldKind>
> = {
  none: toKind({
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
  uuid: toKind({
    type: 'uuid',
    description: 'A random identifier, made when the row is created.',
    group: 'special',
    sql: TEXT,
    coerce: toText,
    shape: () => z.string().max(255),
    expects: () => 'must be text of at most 255 characters',
    control: hidden,
    isText: true,
    isSystem: true,
    flags: { searchable: true, filterable: true, sortable: false },
    prepare: (_value, { random }) => toUuid(random(16)),
  }),
  ipaddress: toKind({
    type: 'ipaddress',
    description: 'The address of whoever created the row.',
    group: 'special',
    sql: TEXT,
    coerce: toText,
    shape: () => z.string().refine((text) => isIP(text) !== 0),
    expects: () => 'must be an IP address',
    control: hidden,
    isText: true,
    isSystem: true,
    flags: { searchable: true, filterable: true, sortable: false },
    prepare: (_value, { address }) => address ?? null,
  }),
  active: toKind({
    type: 'active',
    description: 'Whether the row is there: 0 once it was removed, so that it can be restored.',
    group: 'special',
    sql: INTEGER,
    coerce: toFlag,
    shape: () => z.union([z.literal(0), z.literal(1)]),
    expects: () => 'must be 1 or 0',
    jsonSchema: { enum: [0, 1] },
    control: hidden,
    isSystem: true,
    flags: { searchable: false, filterable: true, sortable: true },
    defaultFormat: 'yes',
  }),
  created: toKind({ ...time, type: 'created', description: 'When the row was created, set by Treadle.' }),
  updated: toKind({ ...time, type: 'updated', description: 'When the row was last changed, set by Treadle.' }),
};
