import { isRecord } from '../../../model/json/json-value.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { mayEdit, type OwnerKind } from '../owner.ts';
import { listRemoved } from '../undo.ts';

/** `system-schema-search`, `system-fieldset-search`. */
export const createSearchEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-search`,
  description: `Lists the ${kind} definitions.`,
  stage: { 'filter[active]': '0 lists those that the admin section removed and can restore.' },
  results: '`rows`, a definition each, and `total`.',
  kind: 'silent',
  listen: (context) =>
    async function search(request, response) {
      if (!mayEdit(context, { kind, verb: 'search', response })) return;
      const filter = request.getStage('filter');
      const isOfRemoved = isRecord(filter) && String(filter.active) === '0';
      const { definitions } = await readProject(context.services.root);
      const rows = isOfRemoved
        ? (await listRemoved(context, kind)).map(({ value }) => value)
        : [...definitions[kind].values()].map(({ value }) => value);
      response.succeed({ rows, total: rows.length });
    },
});
