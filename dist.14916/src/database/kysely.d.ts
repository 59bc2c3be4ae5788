import { type CompiledQuery, type DatabaseIntrospector, type DialectAdapter, Kysely, type QueryCompiler, type QueryResult } from 'kysely';
import type { Row } from './database.ts';
/** What a dialect provides to Kysely: its compilers and connections. */
export interface KyselyParts {
    readonly createAdapter: () => DialectAdapter;
    readonly createCompiler: () => QueryCompiler;
    readonly createIntrospector: (kysely: Kysely<unknown>) => DatabaseIntrospector;
    readonly execute: (query: CompiledQuery) => Promise<QueryResult<Row>>;
}
export declare function createKysely(parts: KyselyParts): Kysely<Record<string, Row>>;
