import { FIELD_TYPES } from '../../../src/model/shape/schema.ts';

const options = [
  { key: 'red', value: 'Red' },
  { key: 'green', value: 'Green' },
];
const MORE: Readonly<Record<string, object>> = {
  text: { searchable: true, sortable: true, validation: [{ method: 'required', message: 'Text is required' }] },
  select: { options },
  radios: { options },
  multiselect: { options },
  checkboxes: { options },
  table: { columns: ['name', 'count'] },
  fieldset: { fieldset: 'line', multiple: true },
  mask: { attributes: { 'data-mask': '99-aa' } },
  range: { attributes: { min: 0, max: 10 } },
  number: { attributes: { min: 0, max: 1000 } },
  computed: { expression: 'length(text)' },
};

/** A schema with a field of every type, its fieldset, and schemas that it is related to. */
export const everyType = {
  'config/fieldset/line.json': {
    name: 'line',
    singular: 'Line',
    plural: 'Lines',
    fields: [
      { name: 'what', label: 'What', type: 'text', validation: [{ method: 'required', message: 'What is required' }] },
      { name: 'amount', label: 'Amount', type: 'price' },
      { name: 'paid', label: 'Paid', type: 'checkbox' },
      { name: 'notes', label: 'Notes', type: 'textlist' },
    ],
  },
  'config/schema/box.json': {
    name: 'box',
    singular: 'Box',
    plural: 'Boxes',
    display: '{{box_name}}',
    fields: [
      {
        name: 'name',
        label: 'Name',
        type: 'text',
        searchable: true,
        validation: [{ method: 'required', message: 'Name is required' }],
      },
      { name: 'active', type: 'active' },
    ],
  },
  'config/schema/label.json': {
    name: 'label',
    singular: 'Label',
    plural: 'Labels',
    display: '{{label_name}}',
    fields: [
      { name: 'name', label: 'Name', type: 'text', searchable: true },
      { name: 'note', label: 'Note', type: 'textarea' },
    ],
  },
  'config/schema/thing.json': {
    name: 'thing',
    singular: 'Thing',
    plural: 'Things',
    display: '{{thing_text}}',
    fields: FIELD_TYPES.map((type) => ({
      name: type,
      ...(['active', 'created', 'updated'].includes(type)
        ? {}
        : { label: type.charAt(0).toUpperCase() + type.slice(1) }),
      type,
      ...MORE[type],
    })),
    relations: [
      { schema: 'box', kind: '1:1' },
      { schema: 'profile', kind: '1:0' },
      { schema: 'label', kind: 'N:N' },
    ],
  },
};
