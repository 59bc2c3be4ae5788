import { CATALOG } from '../catalog.ts';
import { type CommandSpec, getText } from '../spec.ts';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const command: CommandSpec = {
  arguments: [{ name: 'shell', description: 'your shell', choices: SHELLS }],
  examples: ['source <(treadle completion bash)', 'treadle completion fish > ~/.config/fish/completions/treadle.fish'],
  async run({ values }) {
    const shell = getText(values, 'shell') as (typeof SHELLS)[number];
    const script = { bash: toBash, zsh: toZsh, fish: toFish }[shell]();
    return { data: { shell, script }, lines: script.trimEnd().split('\n') };
  },
};

/** First words, and for those that have verbs, the verbs. */
function toWords(): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const {
    words: [noun, verb],
  } of CATALOG) {
    const verbs = words.get(noun) ?? [];
    words.set(noun, verb === undefined ? verbs : [...verbs, verb]);
  }
  return words;
}

const withVerbs = (): [string, string[]][] => [...toWords()].filter(([, verbs]) => verbs.length > 0);

function toBash(): string {
  const cases = withVerbs().map(([noun, verbs]) => `      ${noun}) words="${verbs.join(' ')}" ;;`);
  return `_treadle() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...toWords().keys()].join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _treadle treadle
`;
}

function toZsh(): string {
  const cases = withVerbs().map(([noun, verbs]) => `    ${noun}) compadd -- ${verbs.join(' ')} ;;`);
  return `#compdef treadle
_treadle() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...toWords().keys()].join(' ')}
  elif (( CURRENT == 3 )); then
    case "$words[2]" in
${cases.join('\n')}
    *) _files ;;
    esac
  else
    _files
  fi
}
compdef _treadle treadle
`;
}

const toFishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function toFish(): string {
  const lines = CATALOG.map(({ words: [noun, verb], summary }) =>
    verb === undefined
      ? `complete -c treadle -n __fish_use_subcommand -a ${noun} -d ${toFishText(summary)}`
      : `complete -c treadle -n '__fish_seen_subcommand_from ${noun}' -a ${verb} -d ${toFishText(summary)}`,
  );
  const groups = withVerbs().map(([noun]) => `complete -c treadle -n __fish_use_subcommand -a ${noun}`);
  return `${[...groups, ...lines].join('\n')}\n`;
}
