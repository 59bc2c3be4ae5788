import type { EventContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { findOwner, mayEdit, type OwnerKind, readOwnerName } from '../owner.ts';

/** `system-schema-detail`, `system-fieldset-detail`. */
export const toDetailEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-detail`,
  description: `Reads a ${kind} definition.`,
  stage: { name: `Name of the ${kind}.` },
  results: 'The definition, as its file says it.',
  kind: 'silent',
  listen: (context) =>
    async function detail(request, response) {
      if (!mayEdit(context, { kind, verb: 'detail', response })) return;
      const stage = request.getStage() as Record<string, unknown>;
      const { definitions } = await readProject(context.services.root);
      const found = findOwner(definitions, { kind, name: readOwnerName(kind, stage), response });
      if (found !== undefined) response.succeed(found);
    },
});
