import { translate } from '../../../core/text/translate.ts';
import { type FieldGroup, fieldKinds } from '../../../model/field/field-kind.ts';
import { FIELD_TYPES, type FieldType } from '../../../model/shape.ts';
import type { ChoiceGroup } from '../control.ts';

/** Heading of a group of field types. */
function toGroupLabel(group: FieldGroup): string {
  switch (group) {
    case 'string':
      return translate('Text');
    case 'number':
      return translate('Numbers');
    case 'date':
      return translate('Dates and times');
    case 'option':
      return translate('Choices');
    case 'file':
      return translate('Files');
    case 'json':
      return translate('Lists and structures');
    case 'special':
      return translate('Set by Treadle');
    case 'none':
      return translate('Without a column');
  }
}

const ORDER: readonly FieldGroup[] = ['string', 'number', 'date', 'option', 'file', 'json', 'special', 'none'];

/** All field types, in groups. */
export const listTypeGroups = (chosen: string): ChoiceGroup[] =>
  ORDER.map((group) => ({
    label: toGroupLabel(group),
    choices: FIELD_TYPES.filter((type) => fieldKinds[type].group === group).map((type) => ({
      value: type,
      label: type,
      isChosen: type === chosen,
    })),
  }));

/** One sentence about a type. */
export const describeType = (type: FieldType): string => translate(fieldKinds[type].description);
