import * as z from 'zod';
import { defineEvent } from '../../../plan/event/event.ts';
import type { EventRecord } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { findEditRefusal, findOwner, type OwnerKind, ownerStage, readOwnerName } from '../owner.ts';

/** `system-schema-detail`, `system-fieldset-detail`. */
export const toDetailEvent = (kind: OwnerKind): EventRecord =>
  defineEvent({
    name: `system-${kind}-detail`,
    description: `Reads a ${kind} definition.`,
    kind: 'silent',
    stage: () => ownerStage(kind, {}),
    results: () => z.looseObject({}).describe('The definition, as its file says it.'),
    async run(stage, context, { response }) {
      const refusal = findEditRefusal(context, kind, 'detail');
      if (refusal) return refusal;
      const { definitions } = await readProject(context.services.root);
      return findOwner(definitions, { kind, name: readOwnerName(kind, stage), response });
    },
  });
