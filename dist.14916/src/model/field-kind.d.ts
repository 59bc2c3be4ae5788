import type { FieldKind } from './field-kind-row.ts';
import type { ColumnModel } from './model.ts';
import type { Field, FieldType } from './shape.ts';
export type { Control, FieldGroup, FieldKind, FileTaker, HtmlCleaner, PrepareTools } from './field-kind-row.ts';
export { ValueRefused } from './field-kind-row.ts';
/** All field types by name. */
export declare const fieldKinds: Readonly<Record<FieldType, FieldKind>>;
/** True if a column holds files, itself or in the groups of a fieldset. */
export declare function holdsFiles({ field, parts }: ColumnModel): boolean;
/**
 * SQL type of a field's column; undefined if it has none. A `number` or `range` with a decimal `step` is
 * real.
 */
export declare function columnType(field: Field, dialect: 'sqlite' | 'postgres'): string | undefined;
