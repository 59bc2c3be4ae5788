import { withArticle } from '../model/names.ts';
import type { Access, Relation, Rest, RestMethod, Schema } from '../model/shape.ts';

/** Actions on rows, each an event of Treadle's own. */
export const ACTIONS = [
  'search',
  'detail',
  'create',
  'update',
  'remove',
  'restore',
  'link',
  'unlink',
  'batch',
] as const;
export type Action = (typeof ACTIONS)[number];
/** The default actions; others are generated on request. */
export const USUAL_ACTIONS: readonly Action[] = ['search', 'detail', 'create', 'update', 'remove'];

const METHODS: Readonly<Record<Action, RestMethod>> = {
  search: 'get',
  detail: 'get',
  create: 'post',
  update: 'patch',
  remove: 'delete',
  restore: 'post',
  // Linking twice has the same effect as once, so it is PUT.
  link: 'put',
  unlink: 'delete',
  batch: 'post',
};

const READS: ReadonlySet<Action> = new Set(['search', 'detail']);
export const isReading = (action: Action): boolean => READS.has(action);

/** A call that can be generated: an action and, for link and unlink, the relation. */
export interface CallChoice {
  readonly action: Action;
  readonly name: string;
  readonly value: Rest;
}

const toId = (schema: string): string => `${schema.replaceAll('-', '_')}_id`;

function toTitle(action: Exclude<Action, 'link' | 'unlink'>, schema: Schema): string {
  const one = withArticle(schema.singular.toLowerCase());
  const many = schema.plural.toLowerCase();
  const titles: Readonly<Record<typeof action, string>> = {
    search: `Search ${many}`,
    detail: `Get ${one}`,
    create: `Create ${one}`,
    update: `Update ${one}`,
    remove: `Remove ${one}`,
    restore: `Restore ${one}`,
    batch: `Change several ${many} at once`,
  };
  return titles[action];
}

/** The call of an action on a schema, as `rest generate` writes it. */
export function createCall(access: Access, schema: Schema, action: Exclude<Action, 'link' | 'unlink'>): CallChoice {
  const hasId = action !== 'search' && action !== 'create' && action !== 'batch';
  return {
    action,
    name: `${access}-${schema.name}-${action}`,
    value: {
      title: toTitle(action, schema),
      access,
      method: METHODS[action],
      path: `/${access}/${schema.name}/${action}${hasId ? `/:${toId(schema.name)}` : ''}`,
      event: `system-model-${action}`,
      parameters: { schema: schema.name },
    },
  };
}

/** The call that links or unlinks rows by a declared relation: `…/link/:article_id/comment/:comment_id`. */
export function createLinkCall(
  access: Access,
  schema: Schema,
  relation: Relation,
  more: { readonly action: 'link' | 'unlink'; readonly target: Schema | undefined },
): CallChoice {
  const { action, target } = more;
  const word = relation.name ?? relation.schema;
  const isSelf = relation.schema === schema.name;
  const [from, to] = isSelf
    ? [`${toId(schema.name)}_1`, `${toId(schema.name)}_2`]
    : [toId(schema.name), toId(relation.schema)];
  const one = withArticle(schema.singular.toLowerCase());
  const other = withArticle((relation.name ?? target?.singular ?? relation.schema).replaceAll('-', ' ').toLowerCase());
  return {
    action,
    name: `${access}-${schema.name}-${action}-${word}`,
    value: {
      title: action === 'link' ? `Link ${one} with ${other}` : `Unlink ${one} from ${other}`,
      access,
      method: METHODS[action],
      path: `/${access}/${schema.name}/${action}/:${from}/${word}/:${to}`,
      event: `system-relation-${action}`,
      parameters: {
        schema1: schema.name,
        schema2: relation.schema,
        ...(relation.name === undefined ? {} : { relation: relation.name }),
      },
    },
  };
}
