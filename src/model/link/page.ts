import { toDidYouMean } from '../../core/text/suggest.ts';
import { fieldKinds } from '../field/field-kind.ts';
import { parsePagePath } from '../page-path.ts';
import { listStored } from '../row-shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

/** Why the value of a column cannot be in an address; undefined if it can. */
function findRefusal(draft: SchemaDraft, name: string): string | undefined {
  const column = draft.byName.get(name);
  if (column === undefined || column.name !== name) return undefined;
  const { isJson, isLong, isSecret } = fieldKinds[column.field.type];
  if (column.isPrivate) return 'is private';
  if (isSecret) return 'is secret';
  if (isJson) return 'holds JSON';
  return isLong ? 'holds long texts' : undefined;
}

const FORM =
  'is not a path: it begins with one "/", and around its columns it holds letters a to z, digits and signs such as "-", "." and "_".';

/** Checks the path of the page of a row: its form, and the columns that it names. */
export function checkPage(draft: SchemaDraft, report: Report): void {
  const { page } = draft.definition;
  if (page === undefined) return;
  const add = (message: string, hint: string): void =>
    report.add(draft.source, ['page'], {
      code: 'MODEL_PAGE_PATH',
      message: `"page" of "${draft.name}" ${message}`,
      hint,
    });
  const example = `Such as /${draft.name}/{{${draft.primary}}}.`;
  const path = parsePagePath(page);
  if (path === undefined) add(FORM, `${example} Percent-encode other signs; a query and a fragment are no part of it.`);
  else if (path.columns.length === 0) add('names no column, so all rows would have one address.', example);
  const known = listStored(draft);
  for (const name of path?.columns ?? []) {
    const refusal = findRefusal(draft, name);
    if (refusal !== undefined) add(`names "${name}", which ${refusal}.`, 'Name another column: addresses are public.');
    else if (!known.includes(name))
      add(`names "${name}", which is not a column of its table.`, toDidYouMean(name, known));
  }
}
