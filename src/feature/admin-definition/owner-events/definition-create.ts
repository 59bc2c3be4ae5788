import { translate } from '../../../core/text/translate.ts';
import { hasDefinition } from '../../../model/definitions.ts';
import { toLabelText, toPlural } from '../../../model/names.ts';
import { toFile } from '../../../model/shape.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { answerOutcome, mayEdit, type OwnerKind, pickDefinition, readOwnerName } from '../owner.ts';
import { SAVE_STAGE } from '../stage-docs.ts';
import { proposeValues, readSubmission, submit } from '../submit.ts';

/** `system-schema-create`, `system-fieldset-create`. */
export const toCreateEvent = (kind: OwnerKind): EventContribution => ({
  name: `system-${kind}-create`,
  description: `Writes the file of a new ${kind}, and serves it.`,
  stage: { name: `Name of the ${kind}.`, fields: 'Its fields.', '…': `Other keys of a ${kind}.`, ...SAVE_STAGE },
  results: 'The definition, and `outcome` with the files that were written.',
  kind: 'silent',
  listen: (context) =>
    async function create(request, response) {
      if (!mayEdit(context, { kind, verb: 'create', response })) return;
      const stage = request.getStage() as Record<string, unknown>;
      const name = readOwnerName(kind, stage);
      const { definitions } = await readProject(context.services.root);
      if (hasDefinition(definitions, kind, name)) {
        const message = translate('{file} already exists.', { file: toFile(kind, name) });
        return response.refuse({ status: 409, message, validation: { name: message } });
      }
      const given = pickDefinition(kind, stage);
      const singular = typeof given.singular === 'string' && given.singular !== '' ? given.singular : toLabelText(name);
      const plural = typeof given.plural === 'string' && given.plural !== '' ? given.plural : toPlural(singular);
      const value = { ...given, name, singular, plural };
      const outcome = await submit(context, {
        by: 'event',
        submission: readSubmission(stage),
        title: translate('Created {file}', { file: toFile(kind, name) }),
        propose: () => proposeValues(context, [{ kind, name, value }]),
      });
      answerOutcome(response, outcome, value);
    },
});
