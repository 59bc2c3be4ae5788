import * as z from 'zod';
import type { Listener } from '../../../core/bus/followers.ts';
import type { Request } from '../../../core/request/request.ts';
import { noteRule } from '../../../core/text/rule-note.ts';
import { defineRowEvent } from '../../../plan/event/event.ts';
import type { Context } from '../../../plan/feature.ts';
import { recordChange } from '../../../plan/recorder.ts';
import type { Reach } from '../../../store/read/source/view.ts';
import { notOwned, toInvalid } from '../errors.ts';
import {
  type End,
  findBond,
  findEndError,
  findPair,
  type LinkIds,
  listLinked,
  needIds,
  type Pair,
  unlinkRows,
} from '../link.ts';
import { needReach } from '../stage.ts';
import { pairKeys } from '../stage-docs.ts';
import { write } from '../write.ts';

/** The end with its id in the stage; the end of `schema1` if both have one. */
function findGiven({ source, target }: Pair, request: Request): End | undefined {
  const isGiven = ({ key }: End): boolean => request.hasStage(key) && request.getStage(key) !== '';
  const isFirst = request.getStage('schema1') === source.schema.name;
  const ends = isFirst ? [source, target] : [target, source];
  return ends.find(isGiven);
}

/** Under rules only the links of which the caller may remove each. */
async function unlinkReached(pair: Pair, ids: LinkIds, reach: Reach, context: Context): Promise<number> {
  const { database } = context.services;
  if (reach.see === undefined && reach.rows?.anyOf === undefined) return unlinkRows(pair, ids, database);
  let removed = 0;
  for (const other of await listLinked(pair, ids, database)) {
    const both = ids.source === undefined ? { ...ids, source: other } : { ...ids, target: other };
    const error = await findEndError(pair, both, reach, context);
    if (error === undefined) removed += await unlinkRows(pair, both, database);
  }
  return removed;
}

const listenUnlinkAll = (context: Context): Listener =>
  async function unlinkAll(request, response, { event }) {
    const pair = findPair(context, request, response);
    if (!pair) return;
    const end = findGiven(pair, request);
    if (!end) {
      const message = `${pair.source.key} or ${pair.target.key} is required`;
      return response.refuse(toInvalid({ [pair.source.key]: noteRule(message, { rule: 'required' }) }));
    }
    const id = needIds([end], request, response)?.[0];
    if (id === undefined) return;
    const reach = needReach(context, pair.source.schema.name, 'link', response);
    if (!reach) return;
    const ids = { source: end === pair.source ? id : undefined, target: end === pair.target ? id : undefined };
    // A caller limited to own rows may only remove links that are stored in the given row; otherwise other
    // owners' rows would change.
    const isStoredHere = pair.relation.kind === '1:N' ? end === pair.target : end === pair.source;
    if (reach.rows?.owner !== undefined && !isStoredHere) return response.refuse(notOwned(end.schema.plural));
    const error = findBond(pair) ?? (await findEndError(pair, ids, reach, context));
    if (error) return response.refuse(error);
    await write(
      context,
      { event, request, response },
      {
        async inside() {
          const removed = await unlinkReached(pair, ids, reach, context);
          const results = { [end.key]: id, removed };
          if (removed === 0) return { results, isChanged: false };
          const other = end === pair.source ? pair.target : pair.source;
          const details = { relation: pair.relation.name, schema: other.schema.name, removed };
          recordChange(context, { action: 'unlink', schema: end.schema, id, details });
          return { results };
        },
      },
    );
  };

export const systemRelationUnlinkAll = defineRowEvent({
  name: 'system-relation-unlink-all',
  description: 'Removes all links of a row in one relation.',
  keys: (schema) => pairKeys(schema, 'Id of one side.'),
  results: () => z.record(z.string(), z.number()).describe('The id, and `removed`: the number of links removed.'),
  kind: 'self',
  listen: listenUnlinkAll,
});
