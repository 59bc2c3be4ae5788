import { getAccess } from '../../../core/access.ts';
import { toSeconds } from '../../../core/clock.ts';
import type { EventContribution } from '../../../plan/feature.ts';
import { readActor } from '../actor.ts';
import { toCollected } from '../sql.ts';

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** `schema/article` of `config/schema/article.json`. Settings are their only file. */
function toSubject(file: string): string {
  const [kind = '', name] = file
    .replace(/^config\//, '')
    .replace(/\.json$/, '')
    .split('/');
  return `${kind}/${name ?? kind}`;
}

export const historyDefinition: EventContribution = {
  event: 'history-definition',
  description: 'Records that a definition file changed. For code that saves definitions.',
  stage: {
    file: 'The file, such as `config/schema/article.json`.',
    before: 'Its text before; absent if it is new.',
    after: 'Its text now; absent if it is removed.',
    title: 'What was done, in words. Optional.',
  },
  results: 'None.',
  commits: 'nothing',
  listen: (context) => async (request, response) => {
    const { plan, services } = context;
    if (getAccess().kind === 'none' || request.callFacts !== undefined) {
      return response.refuse({ status: 403, message: 'Only Treadle records changes of definitions.' });
    }
    if (plan.model.settings.history.days === 0) return response.succeed({});
    const [before, after] = [toText(request.getStage('before')), toText(request.getStage('after'))];
    const file = String(request.getStage('file') ?? '');
    const action = before === null ? 'create' : after === null ? 'remove' : 'update';
    const { authId, origin } = readActor();
    const title = toText(request.getStage('title'));
    const entry = {
      action,
      ...origin,
      changes: { [file]: [before, after] as const },
      ...(title === null ? {} : { details: { title } }),
    };
    const { database, clock } = services;
    const createdAt = toSeconds(clock.now());
    const made = { subject: toSubject(file), rowId: undefined, authId, createdAt, entry };
    await database.write(async () => database.collect?.(toCollected(database.dialect, made)));
    response.succeed({});
  },
};
