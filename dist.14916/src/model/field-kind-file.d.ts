import { type FieldKind } from './field-kind-row.ts';
export declare const fileKinds: Readonly<Record<'file' | 'image' | 'filelist' | 'imagelist', FieldKind>>;
