import type { Definitions } from '../definitions.ts';
import type { Renames, RowRenames } from '../rename/renames.ts';
import { readRowKeys } from '../rename/row-keys.ts';
import { findLost } from './target.ts';

const toSame = (names: Iterable<string>): Map<string, string> =>
  new Map([...names].map((name) => [name, name] as const));

/**
 * Names that rows no longer have, as renames that change nothing: used to search the project's texts for
 * them.
 */
export function listGone(before: Definitions, after: Definitions): Renames {
  const old = readRowKeys(before);
  const kept = new Set([...readRowKeys(after).values()].flatMap(({ columns }) => [...columns.values()]));
  const bySchema = new Map<string, RowRenames>();
  for (const [schema, lost] of findLost(before, after)) {
    const keys = old.get(schema);
    const pick = (names: Iterable<string> = []): Map<string, string> =>
      toSame([...names].filter((name) => lost.has(name)));
    const columns = pick(keys?.columns.values());
    for (const name of kept) columns.delete(name);
    bySchema.set(schema, {
      columns,
      relations: pick(keys?.relations.values()),
      computed: pick(keys?.computed.values()),
    });
  }
  const columns = new Map([...bySchema.values()].flatMap((each) => [...each.columns]));
  return { bySchema, columns, relations: new Map(), unsure: new Set() };
}
