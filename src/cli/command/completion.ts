import { CATALOG, NOUNS } from '../catalog.ts';
import { type CommandSpec, getChoice } from '../spec.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const command: CommandSpec = {
  arguments: [{ name: 'shell', description: 'your shell', choices: SHELLS }],
  examples: ['source <(treadle completion bash)', 'treadle completion fish > ~/.config/fish/completions/treadle.fish'],
  async run({ values }) {
    const shell = getChoice(values, 'shell', SHELLS);
    const script = { bash: printBash, zsh: printZsh, fish: printFish }[shell]();
    return { data: { shell, script }, lines: script.trimEnd().split('\n') };
  },
};

/** First words, with the verbs of those that have any. */
function listVerbs(): Map<string, string[]> {
  const words = new Map<string, string[]>();
  for (const {
    words: [noun, verb],
  } of CATALOG) {
    const verbs = words.get(noun) ?? [];
    words.set(noun, verb === undefined ? verbs : [...verbs, verb]);
  }
  return words;
}

const withVerbs = (): [string, string[]][] => [...listVerbs()].filter(([, verbs]) => verbs.length > 0);

/** Folders of `config/` with the names for the third word; by noun, or by the first two words. */
function listFolders(): [string, string][] {
  const named = NOUNS.map((noun): [string, string] => [noun, noun]);
  return [
    ...named,
    ['field', 'schema'],
    ['relation', 'schema'],
    ['import', 'schema'],
    ['export', 'schema'],
    ['fake', 'schema'],
  ];
}

/** Verbs with a new name as third word, so that there is nothing to complete. */
const NEW = 'create list';

function printBash(): string {
  const cases = withVerbs().map(([noun, verbs]) => `      ${noun}) words="${verbs.join(' ')}" ;;`);
  const folders = listFolders().map(([noun, folder]) => `      ${noun}) folder=${folder} ;;`);
  return `_treadle() {
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${[...listVerbs().keys()].join(' ')}"
  elif [ "$COMP_CWORD" -eq 2 ]; then
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  if [ "$COMP_CWORD" -eq 2 ] && [ -z "$words" ] || [ "$COMP_CWORD" -eq 3 ]; then
    local folder=""
    case "\${COMP_WORDS[1]}" in
${folders.join('\n')}
    esac
    case " ${NEW} " in *" \${COMP_WORDS[2]} "*) folder="" ;; esac
    [ -n "$folder" ] && words="$(ls "config/$folder" 2>/dev/null | sed -n 's/\\.json$//p')"
  fi
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _treadle treadle
`;
}

function printZsh(): string {
  const cases = withVerbs().map(([noun, verbs]) => `    ${noun}) compadd -- ${verbs.join(' ')} ;;`);
  const folders = listFolders().map(([noun, folder]) => `    ${noun}) folder=${folder} ;;`);
  return `#compdef treadle
_treadle() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...listVerbs().keys()].join(' ')}
  elif (( CURRENT == 3 )); then
    case "$words[2]" in
${cases.join('\n')}
    *) _files ;;
    esac
  elif (( CURRENT == 4 )) && [[ " ${NEW} " != *" $words[3] "* ]]; then
    local folder=""
    case "$words[2]" in
${folders.join('\n')}
    esac
    local found=(config/$folder/*.json(N:t:r))
    if [[ -n "$folder" && $#found -gt 0 ]]; then compadd -- $found; else _files; fi
  else
    _files
  fi
}
compdef _treadle treadle
`;
}

const toFishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function printFish(): string {
  const lines = CATALOG.map(({ words: [noun, verb], summary }) =>
    verb === undefined
      ? `complete -c treadle -n __fish_use_subcommand -a ${noun} -d ${toFishText(summary)}`
      : `complete -c treadle -n '__fish_seen_subcommand_from ${noun}' -a ${verb} -d ${toFishText(summary)}`,
  );
  // Commands without verbs are completed with their summary.
  const isAlone = (noun: string): boolean => CATALOG.some(({ words }) => words.length === 1 && words[0] === noun);
  const only = withVerbs().filter(([noun]) => !isAlone(noun));
  const groups = only.map(([noun]) => `complete -c treadle -n __fish_use_subcommand -a ${noun}`);
  const names = listFolders().map(
    ([noun, folder]) =>
      `complete -c treadle -n '__fish_seen_subcommand_from ${noun}; and test (count (commandline -opc)) -ge 3; and not __fish_seen_subcommand_from ${NEW}' -f -a '(path change-extension "" (path basename config/${folder}/*.json))'`,
  );
  return `${[...groups, ...lines, ...names].join('\n')}\n`;
}
