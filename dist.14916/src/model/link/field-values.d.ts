import type { Field, Format } from '../shape.ts';
import type { FieldContext } from './fields.ts';
type Path = readonly (string | number)[];
export declare function checkAttributes({ source, report }: FieldContext, field: Field, path: Path): void;
/** A default that its own field refuses would make every row without that value invalid. */
export declare function checkDefault({ source, report }: FieldContext, field: Field, path: Path): void;
export declare function checkOptions({ source, report }: FieldContext, field: Field, path: Path): void;
export declare function checkFormat(context: FieldContext, format: Format | undefined, path: Path): void;
export {};
