import { toDidYouMean } from '../../core/text/suggest.ts';
import { fieldKinds } from '../field/field-kind.ts';
import type { UniqueModel } from '../model.ts';
import { listStored } from '../row-shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

/** Columns that an index over several columns may contain. */
export function listAllowed(draft: SchemaDraft): Set<string> {
  const allowed = new Set<string>();
  for (const { name, field, computed } of draft.columns) {
    if (computed?.isStored === false) continue;
    const { isJson, isLong, isSecret, sql, isSystem } = fieldKinds[field.type];
    if (sql === undefined || isJson || isLong || isSecret || (isSystem && field.type !== 'uuid')) continue;
    allowed.add(name);
  }
  const fields = new Set([draft.primary, ...draft.columns.map(({ name }) => name)]);
  for (const key of listStored(draft)) if (!fields.has(key)) allowed.add(key);
  return allowed;
}

/** The rules of a schema that several columns together are unique. */
export function listUnique(draft: SchemaDraft): readonly UniqueModel[] {
  return (draft.definition.unique ?? []).map(({ columns, message }) => ({
    columns,
    message:
      message ?? `Another ${draft.singular} has the same ${columns.map((name) => toSpoken(draft, name)).join(' and ')}`,
  }));
}

/** A column in words for visitors: the label of its field, or the related schema, as `talk` for `talk_id`. */
function toSpoken({ columns }: SchemaDraft, name: string): string {
  const { field } = columns.find((column) => column.name === name) ?? {};
  return (field?.label ?? field?.name ?? name.replace(/_id$/, '')).replaceAll('_', ' ').toLowerCase();
}

function checkRule(draft: SchemaDraft, index: number, allowed: ReadonlySet<string>, report: Report): void {
  const { columns = [] } = draft.definition.unique?.[index] ?? {};
  const seen = new Set<string>();
  for (const [at, name] of columns.entries()) {
    const path = ['unique', index, 'columns', at];
    const full = `${draft.table}_${name}`;
    if (!allowed.has(name)) {
      const message = `"${name}" is not a column of "${draft.name}" that can be unique together with others.`;
      const hint = allowed.has(full) ? `Did you mean "${full}"?` : toDidYouMean(name, allowed);
      report.add(draft.source, path, { code: 'MODEL_UNIQUE_COLUMN', message, hint });
    } else if (seen.has(name)) {
      const problem = { code: 'MODEL_UNIQUE_TWICE', message: `"${name}" is in the list twice.`, hint: 'Remove one.' };
      report.add(draft.source, path, problem);
    }
    seen.add(name);
  }
}

/** Reports columns of `unique` that do not exist or cannot be in an index, and rules that are there twice. */
export function checkUnique(draft: SchemaDraft, report: Report): void {
  const allowed = listAllowed(draft);
  const rules = new Set<string>();
  for (const [index, { columns }] of (draft.definition.unique ?? []).entries()) {
    checkRule(draft, index, allowed, report);
    const own = [...columns].sort().join();
    if (rules.has(own)) {
      const message = `The columns ${columns.join(', ')} have a rule already.`;
      report.add(draft.source, ['unique', index], {
        code: 'MODEL_UNIQUE_TWICE',
        message,
        hint: 'Remove one of the two.',
      });
    }
    rules.add(own);
  }
}
