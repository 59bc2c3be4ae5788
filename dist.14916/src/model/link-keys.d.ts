import type { RelationModel, SchemaModel } from './model.ts';
/**
 * The keys in a file's row for the ids of an N:N relation; an export writes the first. They are the
 * relation's name, unless a field has that name, and `<name>_ids`.
 */
export declare function listLinkKeys({ byName, primary }: Pick<SchemaModel, 'byName' | 'primary'>, { name }: RelationModel): string[];
