import type { Field, Validation } from '../../model/shape.ts';
import type { FieldQuestion } from './field.ts';
/** Rules that suit a field's type. `required` and `unique` have their own flags. */
export declare function listSuited(field: Pick<Field, 'type' | 'name'>, fields: readonly Pick<Field, 'type' | 'name'>[]): string[];
/** Asks for the rules of a field, and their parameters. */
export declare function askRules(field: Field, { prompt, fields }: FieldQuestion): Promise<Validation[]>;
