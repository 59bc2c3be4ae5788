import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

const PLAIN = /\{\{\{?\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}?\}\}/g;

/** Advice on a row's label that uses unknown names; they would be empty. */
export function checkDisplay(draft: SchemaDraft, drafts: ReadonlyMap<string, SchemaDraft>, report: Report): void {
  // If a schema joined 1:1 could not be parsed, the names of its columns are unknown.
  const isWhole = (draft.definition.relations ?? []).every(({ schema }) => drafts.has(schema));
  if (draft.display === undefined || !isWhole) return;
  const known = new Set([draft.primary, ...draft.columns.map(({ name }) => name)]);
  for (const field of draft.definition.fields) {
    // Computed formats add a value under the field's own name.
    if ([field.list?.format, field.detail?.format].some((name) => name === 'formula' || name === 'custom')) {
      known.add(field.name);
    }
  }
  for (const relation of draft.relations) {
    known.add(relation.name);
    if (relation.targetColumn !== undefined) known.add(relation.targetColumn);
    if (relation.kind !== '1:1') continue;
    for (const { name } of drafts.get(relation.target)?.columns ?? []) known.add(name);
  }
  for (const [, name = ''] of draft.display.matchAll(PLAIN)) {
    if (known.has(name) || name === 'else' || name === 'this') continue;
    const message = `The label of a row of "${draft.name}" names "${name}", which no row has.`;
    const hint = toDidYouMean(name, known);
    report.add(draft.source, ['display'], { code: 'MODEL_DISPLAY_UNKNOWN', message, hint, severity: 'advice' });
  }
}
