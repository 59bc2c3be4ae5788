import { translate } from '../../core/text/translate.ts';
import { listAlong } from '../../plan/along.ts';
import type { CallPlan, Plan } from '../../plan/feature.ts';
import type { Links } from './links.ts';
import type { PageData } from './page/page.ts';
import { toColumnKey } from './row.ts';
import { describeType } from './value.ts';

/** The columns of other schemas in the answers of some calls, each once, with the relation that brings it. */
export function toAlongRows(calls: readonly CallPlan[], { model }: Plan, links: Links): PageData[] {
  const rows = new Map<string, PageData>();
  for (const along of calls.flatMap((call) => listAlong(model, call))) {
    const { by, target } = along;
    for (const { name, model: column, isOwnersOnly } of along.columns) {
      const key = `${by} ${name}`;
      // If one call shows the column in everybody's rows, no row needs the note.
      if (rows.has(key) && isOwnersOnly) continue;
      const { schema, description } = toColumnKey(column);
      rows.set(key, {
        name,
        type: describeType(schema),
        description,
        note: isOwnersOnly ? translate('private: only in rows that belong to the token’s user') : '',
        by,
        href: links.page(`schemas/${target.name}`),
      });
    }
  }
  return [...rows.values()];
}
