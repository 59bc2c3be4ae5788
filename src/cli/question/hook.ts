import { readDefinitions } from '../change/definition.ts';
import { findKeyError } from '../keys/key.ts';
import { KEYS } from '../keys/kinds.ts';
import type { Choice } from '../prompt.ts';
import { findText, getList, type Invocation } from '../spec.ts';
import { createJudges } from './judge.ts';
import { findNameError } from './name.ts';

/** Actions on a row, each an event of Treadle's own. */
const OCCASIONS = [
  ['create', 'created'],
  ['update', 'updated'],
  ['remove', 'removed'],
  ['restore', 'restored'],
] as const;
/** Any other event of the project or a package, entered by name. */
const OTHER = 'other';

interface Occasion {
  readonly choice: Choice;
  readonly schema: string;
  readonly singular: string;
  readonly action: string;
  readonly done: string;
}

function listOccasions(schemas: ReadonlyMap<string, { readonly value: { readonly singular: string } }>): Occasion[] {
  return [...schemas].flatMap(([schema, { value }]) =>
    OCCASIONS.map(([action, done]) => ({
      ...{ schema, singular: value.singular, action, done },
      choice: { value: `${schema}.${done}`, name: `${value.singular} ${done}`, group: schema },
    })),
  );
}

const toCheck =
  (flag: string) =>
  (text: string): string | undefined => {
    const spec = KEYS.webhook.find((key) => key.flag === flag);
    return spec && findKeyError(spec, text);
  };

/** Asks for the event first, because name, title and type follow from it. */
export async function askHook(invocation: Invocation): Promise<void> {
  const { values, prompt } = invocation;
  if (!prompt || findText(values, 'event') !== undefined) return;
  const { schema: schemas } = await readDefinitions(invocation);
  const occasions = listOccasions(schemas);
  const other = { value: OTHER, name: 'Something else', description: 'an event that the project or a package emits' };
  const chosen = await prompt.search('What fires it:', [...occasions.map(({ choice }) => choice), other]);
  const to = 'URL of your own receiver (optional; apps subscribe by themselves):';
  values.url ??= (await prompt.text(to, { isOptional: true, check: toCheck('url') })) || undefined;
  const found = occasions.find(({ choice }) => choice.value === chosen);
  if (!found) return;
  const { schema, singular, action, done } = found;
  values.event = `system-model-${action}`;
  const parameters = getList(values, 'parameter').filter((each) => !each.startsWith('schema='));
  values.parameter = [`schema=${schema}`, ...parameters];
  const judge = createJudges('webhook', 'name', invocation).name;
  const check = (text: string) => findNameError(text) ?? judge?.(text, values);
  const name = { default: `${schema}-${done}`, check };
  values.name ??= await prompt.text('Name of the hook:', name);
  values.title ??= await prompt.text('Title in the docs:', { default: `${singular} ${done}`, check: toCheck('title') });
  values.type ??= await prompt.text('Type in the body:', { default: `${schema}.${done}`, check: toCheck('type') });
}
