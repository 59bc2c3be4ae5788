import { suggest, toDidYouMean } from '../core/text/suggest.ts';
import type { Model } from '../model/model.ts';
import { compileSource } from '../store/read/source/source.ts';

/** Edits between a mistyped column and the one that was meant. */
const NEAR = 2;
/** Letters of a name that is compared with the columns of all schemas. */
const SHORTEST = 6;

/** Distinguishes a misspelt column from an unrelated name. */
export interface ColumnJudge {
  isColumn(name: string): boolean;
  /** The remedy for a name that can only be a misspelt column; undefined if it may be right. */
  judge(name: string): string | undefined;
}

interface Names {
  readonly columns: ReadonlySet<string>;
  readonly relations: ReadonlySet<string>;
}

/** The names that a row has, by schema. */
function listNames(model: Model): ReadonlyMap<string, Names> {
  return new Map(
    [...model.schemas.values()].map((schema) => {
      const source = compileSource(model, schema);
      const columns = new Set([...source.columns.keys(), ...schema.columns.map(({ name }) => name)]);
      return [schema.name, { columns, relations: new Set(source.relations.keys()) }];
    }),
  );
}

/**
 * A name can only be a misspelt column if no row has it, and it begins with the name of a schema and `_`, or differs from a
 * column by a letter or two.
 */
export function createColumnJudge(model: Model): ColumnJudge {
  const names = listNames(model);
  const columns = new Set([...names.values()].flatMap((own) => [...own.columns]));
  const relations = new Set([...names.values()].flatMap((own) => [...own.relations]));
  const schemas = [...names.keys()].sort((a, b) => b.length - a.length);
  return {
    isColumn: (name) => columns.has(name),
    judge(name) {
      if (!name.includes('_') || columns.has(name) || relations.has(name)) return undefined;
      const schema = schemas.find((each) => name.startsWith(`${each}_`));
      if (schema !== undefined) return toDidYouMean(name, names.get(schema)?.columns ?? []);
      const near = name.length < SHORTEST ? undefined : suggest(name, columns, NEAR);
      return near === undefined ? undefined : `Did you mean "${near}"?`;
    },
  };
}
