import type { Problem } from '../../core/errors.ts';
import { fieldRules } from '../../model/field/field-rules.ts';
import type { Model, SchemaModel } from '../../model/model.ts';
import { findOwnerColumn } from '../../model/role/owner-column.ts';
import type { Field } from '../../model/shape.ts';
import { type FlatRelation, listAlong } from '../../plan/along.ts';
import type { CallPlan, Facts } from '../../plan/feature.ts';

/** Whether somebody should say of a field if it is private. A profile's name is public, and so is what rows are found by. */
const isUndecided = (schema: SchemaModel, { name, type, private: said, searchable }: Field): boolean =>
  said === undefined &&
  searchable !== true &&
  !(schema.name === 'profile' && name === 'name') &&
  fieldRules.flags(type).has('private');

const isRuled = ({ roles }: Model, { name }: SchemaModel): boolean =>
  [...roles.values()].some(({ data }) => data?.[name] !== undefined);

/** Whether a call is held to its user's own rows, so that the profile that comes along is the user's, too. */
const isOfUser = (
  { definition, isOwn, schema }: CallPlan,
  { relation, by }: FlatRelation,
  { schemas }: Model,
): boolean => {
  const own = definition.access === 'user' && isOwn ? schemas.get(schema ?? '') : undefined;
  return own !== undefined && by === relation.name && relation.targetColumn === findOwnerColumn(own);
};

/** Advice on calls that open columns of another schema by a 1:1 relation, though no rule says who may see them. */
export function adviseAlong({ calls, model }: Facts): Problem[] {
  return calls.flatMap((call) => {
    // Who names the columns of a call has judged them.
    if (call.definition.parameters?.fields !== undefined) return [];
    return listAlong(model, call).flatMap((along): Problem[] => {
      const { by, target } = along;
      if (isRuled(model, target) || isOfUser(call, along, model)) return [];
      const names = along.columns.filter((column) => isUndecided(target, column.model.field)).map(({ name }) => name);
      if (names.length === 0) return [];
      const whose = by === target.name ? `its ${by}` : `"${by}"`;
      return [
        {
          code: 'REST_COLUMNS_ALONG',
          file: call.file,
          path: 'parameters.schema',
          message: `Each row of the call "${call.name}" brings columns of ${whose} along that no role and no "private" judges: ${names.join(', ')}.`,
          hint: `Say "private": true or false for each of these fields in ${target.file}, or rule "${target.name}" in a role, or list the columns that the call shows in "fields" of its "parameters".`,
          severity: 'advice',
        },
      ];
    });
  });
}
