import type { BoundedMap } from '../core/bounded-map.ts';
import type { Database, Dialect, Row } from '../database/database.ts';
import type { RelationModel } from '../model/model.ts';
import { type SeeRelated, type Sight } from './predicate.ts';
import { type RelatedInput } from './related.ts';
import type { Source } from './source.ts';
import type { Statement } from './statement.ts';
import type { View } from './view.ts';
interface Detail {
    readonly source: Source;
    readonly reading: Promise<Row[]>;
    readonly relations: readonly RelationModel[];
    readonly knownKey: unknown;
    readonly see: SeeRelated | undefined;
}
interface Ruling {
    readonly see: SeeRelated | undefined;
    readonly dialect: Dialect;
    readonly values: unknown[];
}
interface Seen {
    readonly database: Database;
    readonly see: SeeRelated | undefined;
}
/** Loads the relations of rows, limited to what the caller may see. */
export declare class RelationLoader {
    #private;
    constructor(source: (schema: string, view?: View) => Source, statements: BoundedMap<Statement>);
    /** Adds a relation to each row of a page. */
    expand(relation: RelationModel, rows: readonly Row[], source: Source, { database, see }: Seen): Promise<void>;
    /** The predicates of the schemas joined 1:1. */
    toSight({ joins }: Source, { see, dialect, values }: Ruling): Sight;
    /** A relation with the rules for its rows; appends their values. */
    toRelated(relation: RelationModel, isOne: boolean, { see, dialect, values }: Ruling): RelatedInput;
    /** If the row's key is known beforehand, its lists are read in parallel with the row. */
    withRelations({ source, reading, relations, knownKey, see }: Detail, database: Database): Promise<Row | undefined>;
}
export {};
