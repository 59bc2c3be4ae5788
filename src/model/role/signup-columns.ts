import { fieldKinds } from '../field/field-kind.ts';
import type { ColumnModel, Model } from '../model.ts';
import { isServerSet } from '../server-set.ts';

/** The profile's own required columns, which a sign-up must fill. The name has a place of its own. */
export function listSignupColumns({ schemas }: Pick<Model, 'schemas'>): readonly ColumnModel[] {
  return (schemas.get('profile')?.columns ?? []).filter(
    (column) =>
      column.isRequired &&
      !isServerSet(column) &&
      column.name !== 'profile_name' &&
      column.field.default === undefined &&
      !['none', 'fieldset'].includes(fieldKinds[column.field.type].control.element),
  );
}
