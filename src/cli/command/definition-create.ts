import { KIND_WORDS } from '../../model/kind-words.ts';
import { toLabelText } from '../../model/names.ts';
import type { Rest, Role, Scope } from '../../model/shape.ts';
import { readDefinitions } from '../change/definition.ts';
import { refuseTaken, saveDefinition } from '../change/edited.ts';
import { changeKeys, toCreateOptions } from '../keys/key.ts';
import { EXAMPLES, KEYS, toNameArgument } from '../keys/kinds.ts';
import { askHook } from '../question/hook.ts';
import { createJudges } from '../question/judge.ts';
import { askKeys } from '../question/key.ts';
import { findNameError } from '../question/name.ts';
import { type CommandSpec, getText, type Invocation } from '../spec.ts';

/** Kinds that flags can define completely; a missing value is asked for by its flag. */
type Kind = 'rest' | 'scope' | 'webhook' | 'role';

interface Creation extends Pick<CommandSpec, 'askFirst'> {
  readonly flags: string;
  /** The value before its flags are applied. */
  readonly start: (name: string) => object;
  /** The next commands, and a line that describes the new definition. */
  readonly next: (name: string, value: object) => readonly string[];
  readonly lines?: (value: object) => readonly string[];
}

const toVerb = ({ method = 'get' }: Partial<Rest>): string => method.toUpperCase();

const CREATIONS: Readonly<Record<Kind, Creation>> = {
  rest: {
    flags:
      '--title "Search articles" --access public --method get --path /public/article/search --event system-model-search --parameter schema=article',
    start: () => ({}),
    lines: (call: Partial<Rest>) => [`${toVerb(call)} /rest${call.path}`],
    next: (name, call: Partial<Rest>) => [
      call.access === 'user' ? `treadle scope create <slug> --name <text> --access user --call ${name}` : 'treadle dev',
      `treadle explain ${call.method === 'all' ? 'GET' : toVerb(call)} /rest${call.path}`,
    ],
  },
  scope: {
    flags: '--name "See your profile" --access user --call user-profile-detail',
    start: (slug): Pick<Scope, 'slug' | 'calls'> => ({ slug, calls: [] }),
    next: (slug) => [`treadle app create <name> --title <text> --scope ${slug}`],
  },
  webhook: {
    flags:
      '--title "Profile created" --event system-model-create --parameter schema=profile --type profile.created --url https://example.org/hook',
    start: () => ({}),
    askFirst: askHook,
    next: (name) => [`treadle webhook secret ${name}`],
  },
  role: {
    flags: "--name Editor --permission 'all:/admin/system/model/article/**'",
    start: (slug): Role => ({ slug, name: toLabelText(slug), permissions: [] }),
    next: (slug) => [`treadle user create --email E --name N --role ${slug}`],
  },
};

/** `treadle <noun> create <name>`. */
export function toCommand(kind: Kind): CommandSpec {
  const { flags, start, next, lines, askFirst } = CREATIONS[kind];
  const argument = toNameArgument(kind);
  const { name: sample } = EXAMPLES[kind];
  const ask = async (invocation: Invocation): Promise<void> =>
    askKeys(KEYS[kind], invocation, { definitions: await readDefinitions(invocation) });
  return {
    ...(askFirst === undefined ? { ask } : { askFirst }),
    arguments: [
      { name: argument, description: `name of the ${KIND_WORDS[kind].one}, such as ${sample}`, check: findNameError },
    ],
    options: toCreateOptions(KEYS[kind]),
    isWriting: true,
    judges: (invocation) => createJudges(kind, argument, invocation),
    examples: [`treadle ${kind} create ${sample} ${flags}`],
    async run(invocation) {
      const name = getText(invocation.values, argument);
      await refuseTaken(invocation, await readDefinitions(invocation), kind, name);
      const value = changeKeys(start(name), KEYS[kind], invocation.values);
      const told = { lines: lines?.(value) ?? [], next: next(name, value) };
      return saveDefinition(invocation, { kind, name, value }, told);
    },
  };
}
