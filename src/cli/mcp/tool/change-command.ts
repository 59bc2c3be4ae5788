import { toDidYouMean } from '../../../core/text/suggest.ts';
import { CATALOG, type CatalogEntry, NOUNS } from '../../catalog.ts';
import { createInputError } from '../tool.ts';

/** Nouns whose commands write definition files alone. Apps have secrets: a person makes them. */
const CHANGED: ReadonlySet<string> = new Set([...NOUNS.filter((noun) => noun !== 'app'), 'field', 'relation', 'api']);
const VERBS: ReadonlySet<string> = new Set('create update rename copy remove add generate allow populate'.split(' '));
/** Flags that `change` sets itself, or that need a person. */
const REFUSED: readonly string[] = [
  '--allow-loss',
  '--yes',
  '--cwd',
  '--json',
  '--dry-run',
  '--no-interactive',
  '-h',
  '--help',
];

/** The commands that write definitions. */
export const listChangeCommands = (): readonly CatalogEntry[] =>
  CATALOG.filter(({ words: [noun, verb] }) => CHANGED.has(noun) && verb !== undefined && VERBS.has(verb));

/** @throws MCP_INPUT_INVALID unless the words are a command that writes definitions, without flags that are not its own. */
export function checkChangeCommand(words: readonly string[]): void {
  const [noun = '', verb = '', ...rest] = words[0] === 'treadle' ? [] : words;
  const known = listChangeCommands().map((entry) => entry.words.join(' '));
  const name = `${noun} ${verb}`.trim();
  if (!known.includes(name))
    throw createInputError(
      `"${name || words.join(' ')}" is not a command that changes definitions.`,
      `${toDidYouMean(name, known)} All of them: describe with kind "command".`,
    );
  const flag = rest.find((word) => REFUSED.includes(word.split('=', 1)[0] ?? ''));
  if (flag !== undefined)
    throw createInputError(
      `The flag ${flag} is not for assistants.`,
      'Leave it out: without "apply" nothing is written.',
    );
}
