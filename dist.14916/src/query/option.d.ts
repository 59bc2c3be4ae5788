import type { OperatorName } from './operator.ts';
import type { SourceColumn } from './source-column.ts';
/**
 * Why a column with options can never have a value; undefined if it can. An empty value passes: forms send it for
 * "any".
 */
export declare function findOptionFault({ options }: Pick<SourceColumn, 'options'>, operator: OperatorName, raw: unknown): string | undefined;
