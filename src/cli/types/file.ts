import type { Model } from '../../model/model.ts';
import type { Fieldset } from '../../model/shape.ts';
import { type Member, printInterface, toTypeNames } from './print.ts';
import { printEntry, printSchema, type TypeNames } from './schema.ts';
import { toValueType } from './value.ts';

/** Where the types are kept, from the project's root: `tsconfig.json` of a project has all of `app` among its files. */
export const TYPES_FILE = 'app/treadle.d.ts';

const HEAD =
  '// Made by `treadle types` from the definitions in config/: change those and run it again. `treadle dev` keeps it up to date.';

/** What the file may need of the package; what it does not name is left out. */
const HELPERS = [
  'ActiveFilter',
  'FlagFilter',
  'Json',
  'LinkFilter',
  'ListFilter',
  'NumberFilter',
  'PageInput',
  'PathFilter',
  'PresenceFilter',
  'Sorted',
  'TextFilter',
] as const;

function printFieldset(name: string, fieldset: Fieldset, names: TypeNames): string {
  const members = fieldset.fields
    .filter(({ type }) => type !== 'none')
    .map((field): Member => {
      const isNeeded = field.required === true || (field.validation ?? []).some(({ method }) => method === 'required');
      const type = toValueType(field, names.fieldsets);
      return {
        name: field.name,
        type: isNeeded ? type : `${type} | null`,
        isOptional: !isNeeded,
        description: field.description,
      };
    });
  return printInterface({ name, members, description: fieldset.singular });
}

/**
 * The TypeScript of a model: for each schema its row, detail, inputs and search, and their place in the package's
 * {@link import('../../plan/typed-emit.ts').Schemas}. The same model gives the same bytes.
 */
export function printTypes(model: Model): string {
  const fieldsets = [...toTypeNames(model.fieldsets.keys())].map(([key, name]) => [key, `${name}Fieldset`] as const);
  const names: TypeNames = { schemas: toTypeNames(model.schemas.keys()), fieldsets: new Map(fieldsets) };
  const schemas = [...names.schemas.keys()].flatMap((name) => model.schemas.get(name) ?? []);
  const groups = fieldsets.flatMap(([key, name]) => {
    const fieldset = model.fieldsets.get(key);
    return fieldset === undefined ? [] : [printFieldset(name, fieldset, names)];
  });
  const parts = [...groups, ...schemas.map((schema) => printSchema(schema, model, names))];
  const body = parts.join('\n\n');
  const used = HELPERS.filter((name) => new RegExp(`(?<![\\w'.])${name}\\b(?!')`).test(body));
  const imported = used.length === 0 ? "import 'treadle';" : `import type { ${used.join(', ')} } from 'treadle';`;
  const entries = schemas.map((schema) => printEntry(schema, names)).join('\n');
  const augmentation = ["declare module 'treadle' {", '  interface Schemas {', entries, '  }', '}'];
  return `${[HEAD, imported, body, augmentation.filter((line) => line !== '').join('\n')].filter(Boolean).join('\n\n')}\n`;
}
