import { type FieldKind } from './field-kind-row.ts';
export declare const numberKinds: Readonly<Record<'number' | 'range' | 'small' | 'float' | 'price' | 'stars', FieldKind>>;
