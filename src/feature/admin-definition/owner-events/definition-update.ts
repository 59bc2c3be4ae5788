import { translate } from '../../../core/text/translate.ts';
import { toFile } from '../../../model/shape.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { answerOutcome, findOwner, mayEdit, type OwnerKind, pickDefinition, readOwnerName } from '../owner.ts';
import { SAVE_STAGE } from '../stage-docs.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';

/** The definition with the given keys; null takes a key away. */
function merge(value: object, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = { ...value, ...given };
  return Object.fromEntries(Object.entries(merged).filter(([, part]) => part !== null && part !== undefined));
}

/** `system-schema-update`, `system-fieldset-update`. */
export const toUpdateEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-update`,
  description: `Changes the file of a ${kind}, and serves it.`,
  stage: {
    name: `Name of the ${kind}.`,
    '…': `Keys of the ${kind} that change; null takes a key away.`,
    base: 'SHA-256 (base64url) of the text that was edited: another text on disk is a conflict, 409.',
    ...SAVE_STAGE,
  },
  results: 'The definition, and `outcome` with the files that were written.',
  kind: 'silent',
  listen: (context) =>
    async function update(request, response) {
      if (!mayEdit(context, { kind, verb: 'update', response })) return;
      const stage = request.getStage() as Record<string, unknown>;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      const found = findOwner(definitions, { kind, name, response });
      if (found === undefined) return;
      const value = { ...merge(found, pickDefinition(kind, stage)), name };
      const file = toFile(kind, name);
      const outcome = await submit(context, {
        by: 'event',
        submission: readSubmission(stage),
        title: translate('Changed {file}', { file }),
        file,
        propose: () => proposeValues(context, [{ kind, name, value }]),
      });
      answerOutcome(response, outcome, value);
    },
});
