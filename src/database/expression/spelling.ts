import type { Dialect } from '../database.ts';
import { postgresSql } from './postgres.ts';
import type { Sql } from './sql.ts';
import { sqliteSql } from './sqlite.ts';

export const expressionSql: Readonly<Record<Dialect, Sql>> = { sqlite: sqliteSql, postgres: postgresSql };
