import { type FieldKind } from './field-kind-row.ts';
export declare const UUID: RegExp;
export declare const specialKinds: Readonly<Record<'none' | 'uuid' | 'ipaddress' | 'active' | 'created' | 'updated', FieldKind>>;
