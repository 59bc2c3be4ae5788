import type { Model, SchemaModel } from '../../model/model.ts';

/** Schemas of which a row must be there before a row of this one can refer to it. */
const listNeeded = ({ name, row: { keys }, relations }: SchemaModel): string[] =>
  [
    ...keys.map(({ target }) => target),
    ...relations.filter(({ kind }) => kind === 'N:N').map(({ target }) => target),
  ].filter((target) => target !== name);

/** Schemas in an order in which each comes after those that its rows refer to; by name where that says nothing. */
export function sortByReference({ schemas }: Pick<Model, 'schemas'>, names: Iterable<string>): string[] {
  const sorted = new Set<string>();
  const visit = (name: string, above: readonly string[]): void => {
    const schema = schemas.get(name);
    if (schema === undefined || sorted.has(name) || above.includes(name)) return;
    for (const needed of listNeeded(schema).sort()) visit(needed, [...above, name]);
    sorted.add(name);
  };
  const wanted = new Set(names);
  for (const name of [...wanted].sort()) visit(name, []);
  return [...sorted].filter((name) => wanted.has(name));
}
