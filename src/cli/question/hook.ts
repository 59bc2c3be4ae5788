import { findOwn } from '../../core/record.ts';
import { createHookStart, listHookOccasions } from '../../edit/hook-start.ts';
import { readDefinitions } from '../change/definition.ts';
import { KEYS } from '../keys/kinds.ts';
import { findText, getList, type Invocation } from '../spec.ts';
import { createJudges } from './judge.ts';
import { askKeys } from './key.ts';
import { findNameError } from './name.ts';

/** Any other event of the project or a package, entered by name. */
const OTHER = 'other';

const isUrl = ({ key }: { readonly key: string }): boolean => key === 'url';

/** Asks for the event first, because name, title and type follow from it. */
export async function askHook(invocation: Invocation): Promise<void> {
  const { values, prompt } = invocation;
  if (!prompt || findText(values, 'event') !== undefined) return;
  const occasions = listHookOccasions(await readDefinitions(invocation));
  const choices = occasions.map(({ schema, singular, done }) => {
    return { value: `${schema}.${done}`, name: `${singular} ${done}`, group: schema };
  });
  const other = { value: OTHER, name: 'Something else', description: 'an event that the project or a package emits' };
  const chosen = await prompt.search('What fires it:', [...choices, other]);
  await askKeys(KEYS.webhook.filter(isUrl), invocation);
  const found = occasions.find(({ schema, done }) => `${schema}.${done}` === chosen);
  if (!found) return;
  const { name, keys } = createHookStart(found);
  values.event = keys.event;
  const parameters = getList(values, 'parameter').filter((each) => !each.startsWith('schema='));
  values.parameter = [`schema=${found.schema}`, ...parameters];
  const judge = createJudges('webhook', 'name', invocation).name;
  const check = (text: string) => findNameError(text) ?? judge?.(text, values);
  values.name ??= await prompt.text('Name of the hook:', { default: name, check });
  const { title, type } = keys;
  const made: Readonly<Record<string, string>> = { title, type };
  const others = KEYS.webhook.filter((spec) => !isUrl(spec));
  await askKeys(others, invocation, { suggest: (key) => findOwn(made, key) });
}
