import type { Access, Rest, RestMethod, Schema } from '../../model/shape.ts';

/** The usual things that are done with rows, each a model event. */
export const ACTIONS = ['search', 'detail', 'create', 'update', 'remove'] as const;
export type Action = (typeof ACTIONS)[number];

const METHODS: Readonly<Record<Action, RestMethod>> = {
  search: 'get',
  detail: 'get',
  create: 'post',
  update: 'patch',
  remove: 'delete',
};

const READS: ReadonlySet<Action> = new Set(['search', 'detail']);
export const isReading = (action: Action): boolean => READS.has(action);

export const toCallName = (access: Access, schema: string, action: Action): string => `${access}-${schema}-${action}`;

function toTitle(action: Action, schema: Schema): string {
  const singular = schema.singular.toLowerCase();
  const one = `${/^[aeiou]/.test(singular) ? 'an' : 'a'} ${singular}`;
  const titles: Readonly<Record<Action, string>> = {
    search: `Search ${schema.plural.toLowerCase()}`,
    detail: `Get ${one}`,
    create: `Create ${one}`,
    update: `Update ${one}`,
    remove: `Remove ${one}`,
  };
  return titles[action];
}

/** The usual call of a schema, as `rest generate` writes it. */
export function toCall(access: Access, schema: Schema, action: Action): Rest {
  const id = `${schema.name.replaceAll('-', '_')}_id`;
  const hasId = action !== 'search' && action !== 'create';
  return {
    title: toTitle(action, schema),
    access,
    method: METHODS[action],
    path: `/${access}/${schema.name}/${action}${hasId ? `/:${id}` : ''}`,
    event: `system-model-${action}`,
    parameters: { schema: schema.name },
  };
}
