import { toList, toRecord } from '../../../model/json/json-parts.ts';
import type { Json } from '../../../model/json/value-schema.ts';
import { listShown } from '../row.ts';
import type { PythonTypes } from './type.ts';

/** The types of a schema's rows. */
export interface PythonRow {
  /** A whole row. */
  readonly name: string;
  /** A row with its relations. */
  readonly detail: string;
  /** A literal type of its columns. */
  readonly column: string;
}

/** Declares the rows of a document, by the component of a search's rows or a detail. */
export function declareRows(document: Json, types: PythonTypes): ReadonlyMap<string, PythonRow> {
  const schemas = toRecord(toRecord(document.components).schemas);
  const shown = listShown(schemas);
  for (const { component, name } of shown) {
    types.reserve(component, name);
    types.reserve(`${component}-columns`, name);
    types.reserve(`${component}-detail`, `${name}Detail`);
    if (`${component}-branch` in schemas) types.reserve(`${component}-branch`, `${name}Branch`);
  }
  const rows = new Map<string, PythonRow>();
  for (const { component, name, columns, whole, branches } of shown) {
    const title = String(toRecord(schemas[component]).title ?? component);
    const about = `${title}: a whole row. With \`fields\` it has those columns and its key only.`;
    const more = { about, isReserved: true };
    types.declare(name, types.listMembers({ ...columns, required: whole.required }, name), more);
    const relations = types.listMembers({ ...branches, required: [] }, `${name}Detail`);
    const detail = { base: name, about: `${title} with its relations, if they were asked for.`, isReserved: true };
    types.declare(`${name}Detail`, relations, detail);
    const branch = schemas[`${component}-branch`];
    if (branch !== undefined) {
      const below = toRecord(toList(toRecord(branch).allOf)[1]);
      const rest = { base: name, about: 'A row with the rows below it.', isReserved: true };
      types.declare(`${name}Branch`, types.listMembers(below, `${name}Branch`), rest);
    }
    const names = Object.keys(toRecord(columns.properties)).map((column) => JSON.stringify(column));
    const row = {
      name,
      detail: `${name}Detail`,
      column: types.alias(`${name}Column`, `typing.Literal[${names.join(', ')}]`),
    };
    rows.set(`${component}-columns`, row).set(`${component}-detail`, row);
  }
  return rows;
}
