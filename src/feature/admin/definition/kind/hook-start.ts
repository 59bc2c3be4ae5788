import type { Request } from '../../../../core/request.ts';
import { toLocalText, translate } from '../../../../core/translate.ts';
import type { Row } from '../../../../database/database.ts';
import type { FormFacts, Value } from './control.ts';
import { NAME_FIELD } from './draft.ts';

/** Actions on a row, each an event of Treadle's own, with the word for what happened. */
const OCCASIONS: readonly (readonly [string, string])[] = [
  ['create', 'created'],
  ['update', 'updated'],
  ['remove', 'removed'],
  ['restore', 'restored'],
];

/** What may fire a hook, for each schema. */
export const listHookStarts = ({ definitions }: FormFacts): Row[] =>
  [...definitions.schema].flatMap(([schema, { value }]) =>
    OCCASIONS.map(([action, done]) => ({
      value: `${schema}.${action}`,
      label: translate(`{row} ${done}`, { row: toLocalText(value.singular) }),
    })),
  );

/** The keys of a hook that follow from what fires it, as the query names it: `on=article.create`. */
export function findHookStart({ definitions }: FormFacts, request: Request): Value {
  const [schema = '', action = ''] = String(request.getGet('on') ?? '').split('.');
  const found = definitions.schema.get(schema)?.value;
  const done = OCCASIONS.find(([each]) => each === action)?.[1];
  if (found === undefined || done === undefined) return {};
  return {
    title: `${found.singular} ${done}`,
    event: `system-model-${action}`,
    parameters: { schema },
    type: `${schema}.${done}`,
    [NAME_FIELD]: `${schema}-${done}`,
  };
}
