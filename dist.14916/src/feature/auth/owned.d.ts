import type { Database, Row } from '../../database/database.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
/** A schema of which a profile may own rows. */
export interface OwnedSchema {
    readonly schema: SchemaModel;
    /** The column with the profile. */
    readonly owner: string;
}
/** Every schema of which a profile may own rows, except the profile itself. */
export declare function listOwnedSchemas({ schemas }: Model): readonly OwnedSchema[];
export interface OwnedCount {
    readonly schema: string;
    readonly label: string;
    readonly count: number;
}
/** How many rows of each schema a profile owns, removed ones included; schemas without any are left out. */
export declare function countOwned({ kysely }: Database, owned: readonly OwnedSchema[], profileId: number): Promise<OwnedCount[]>;
/** The rows that a profile owns, in order, a page at a time; without secret columns. */
export declare function readOwned({ kysely }: Database, { schema, owner }: OwnedSchema, profileId: number): AsyncGenerator<readonly Row[]>;
