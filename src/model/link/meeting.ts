import { listMeetings } from '../column-name.ts';
import { listStored } from '../row-shape.ts';
import type { Report } from './report.ts';
import type { SchemaDraft } from './schemas.ts';

/** Advises on fields whose own name means another column or key. */
export function adviseMeetings(draft: SchemaDraft, report: Report): void {
  for (const { column, holder } of listMeetings(draft, listStored(draft))) {
    const { name } = column.field;
    const message = `The field "${name}" of "${draft.name}" has the column "${column.name}", and "${name}" is ${holder}.`;
    const hint = `Files, forms, commands and calls take "${name}" as ${holder}, and give it so. Write "${column.name}" for the field (treadle import --map ${name}=${column.name}), or rename the field.`;
    const path = ['fields', draft.definition.fields.indexOf(column.field), 'name'];
    report.add(draft.source, path, { code: 'MODEL_FIELD_MEETS', message, hint, severity: 'advice' });
  }
}
