import { once } from '../../core/memoize.ts';
import { Field, Relation } from '../shape.ts';
import { type DefinitionForm, type FormKeyGroup, fillForm, type KeyForm } from './key.ts';

const SHOWN: KeyForm = { value: 'format[:parameters]', note: 'Such as `length:80`.' };

const FIELD: DefinitionForm<Field> = {
  elsewhere: ['name'],
  groups: [
    {
      title: '',
      keys: {
        label: { help: 'Shown on forms and in the docs.', question: 'Label of {name}:' },
        type: { isRequired: false },
        description: { question: 'Description of {name}, for forms and the docs (optional):' },
      },
    },
    {
      title: '',
      keys: {
        required: { help: 'A row must have a value. The database enforces it too.' },
        unique: { help: 'Every row must have a different value.' },
        searchable: { help: 'A search for words looks here.' },
        filterable: { help: 'Lists can be filtered by it.' },
        sortable: { help: 'Lists can be sorted by it.' },
        private: {
          help: 'The owner of the row and roles that name the field see it.',
          note: 'A field that is added to `profile` is private by itself, unless it is searchable.',
          isOffWritten: true,
          off: 'writes `false`: whoever sees the row sees it, also in `profile`. As `name:type:public`',
        },
        write: { label: 'Set by code only', help: 'A request may not bring the value.' },
      },
    },
    {
      title: 'Rules',
      keys: {
        validation: {
          label: 'Rules',
          value: 'method[:parameter][:message]',
          note: 'Such as `char_lte:80:At most 80`.',
          isSplit: false,
        },
      },
    },
    {
      title: 'How it is shown',
      keys: {
        list: { ...SHOWN, label: 'In lists', flag: 'list-format' },
        detail: { ...SHOWN, label: 'On the page of a row', flag: 'detail-format' },
      },
    },
    {
      title: 'Input',
      keys: {
        precision: {
          label: 'Digits',
          of: 'decimal',
          help: 'For type decimal: 1 to 15, or 15 where it is empty.',
        },
        scale: { label: 'Digits after the point', of: 'decimal', help: 'For type decimal: 2 where it is empty.' },
        currency: {
          of: 'decimal',
          help: 'For type decimal: a code of ISO 4217, such as EUR.',
          parse: (text) => text.toUpperCase(),
        },
        expression: {
          of: 'computed',
          help: 'For type computed: of fields of the row, relation.count and relation.sum(field), such as price * quantity.',
          isMono: true,
        },
        stored: {
          of: 'computed',
          help: 'The table has a column of what is computed, so that it can be unique and in indexes.',
        },
        options: {
          label: 'Choices',
          help: 'One per line: stored value=label. For select, radios, multiselect and checkboxes.',
          value: 'key=label',
          isSplit: false,
        },
        default: { help: 'For a new row without a value. NOW() is the current time.' },
        attributes: {
          label: 'Attributes of the input',
          help: 'One per line: name=value, such as min=1 or placeholder=Your name.',
          value: 'name=value',
        },
        columns: { label: 'Columns of a table', help: 'One name per line.' },
        fieldset: { label: 'Field set', help: 'For type fieldset.' },
        multiple: { label: 'Several groups', help: 'A fieldset is a list of groups.' },
        was: { label: 'Former names', help: 'So that the migration renames the column and keeps the data.' },
      },
    },
  ],
};

const RELATION: DefinitionForm<Relation> = {
  elsewhere: ['schema', 'was'],
  groups: [
    {
      title: 'Relations',
      keys: {
        kind: { label: 'How many' },
        name: {},
        onRemove: { label: 'When the related row is removed', value: 'rule' },
        tree: {
          label: 'The rows form a tree',
          help: 'No row is below itself. Lists show and move the tree, and searches find what is below a row.',
        },
        order: { label: 'Order of the rows below a row', value: 'field' },
      },
    },
  ],
};

/** The form of a field, with what its shape says. */
export const getFieldForm: () => readonly FormKeyGroup[] = once(() => fillForm(Field, FIELD));

/** The form of a relation, with what its shape says. */
export const getRelationForm: () => readonly FormKeyGroup[] = once(() => fillForm(Relation, RELATION));
