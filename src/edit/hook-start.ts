import type { Definitions } from '../model/definitions.ts';

/** Actions on a row, each an event of Treadle's own, with the word for what happened. */
const ACTIONS = [
  ['create', 'created'],
  ['update', 'updated'],
  ['remove', 'removed'],
  ['restore', 'restored'],
] as const;

/** What may fire a web hook: something that happens to a row of a schema. */
export interface HookOccasion {
  readonly schema: string;
  /** Label of one row. */
  readonly singular: string;
  readonly action: string;
  readonly done: string;
}

export const listHookOccasions = ({ schema: schemas }: Definitions): HookOccasion[] =>
  [...schemas].flatMap(
    ([
      schema,
      {
        value: { singular },
      },
    ]) => ACTIONS.map(([action, done]) => ({ schema, singular, action, done })),
  );

/** The name and the keys of a web hook that follow from what fires it. */
export const createHookStart = ({ schema, singular, action, done }: HookOccasion) => ({
  name: `${schema}-${done}`,
  keys: {
    title: `${singular} ${done}`,
    event: `system-model-${action}`,
    parameters: { schema },
    type: `${schema}.${done}`,
  },
});
