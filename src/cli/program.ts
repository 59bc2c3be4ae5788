import { Argument, Command, Option } from 'commander';
import { packageVersion } from '../core/file/package-root.ts';
import { CATALOG, type CatalogEntry, GROUPS } from './catalog.ts';
import { toPlain } from './description.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec, Values } from './spec.ts';
import type { OutputStream } from './terminal.ts';

/** The parsed command line: the command and its values. */
export interface ParsedCommand {
  readonly entry: CatalogEntry;
  readonly spec: CommandSpec;
  readonly values: Values;
  readonly global: GlobalValues;
}

interface GlobalValues {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly interactive?: boolean;
  readonly dryRun?: boolean;
}

/** Global options with a value, so that the words of a command are found without parsing. */
const TAKES_VALUE: ReadonlySet<string> = new Set(['--cwd']);

/** The catalog's entry for the command line; undefined for an unknown command. */
export function findEntry(argv: readonly string[]): CatalogEntry | undefined {
  const words: string[] = [];
  for (let index = 0; index < argv.length && words.length < 2; index += 1) {
    const word = argv[index] ?? '';
    if (TAKES_VALUE.has(word)) index += 1;
    else if (!word.startsWith('-')) words.push(word);
  }
  const [noun, verb] = words;
  const some = CATALOG.filter(({ words: [first] }) => first === noun);
  // `migrate` is a command, and so is `migrate undo`.
  return some.find(({ words: [, second] }) => second === verb) ?? some.find(({ words }) => words.length === 1);
}

export interface ProgramOutput {
  readonly out: OutputStream;
  readonly err: OutputStream;
}

/**
 * Parses a command line. Help and version are written to `out`.
 *
 * @throws CommanderError for help, version and wrong use; never ends the process.
 */
export async function parseCommandLine(
  argv: readonly string[],
  output: ProgramOutput,
): Promise<ParsedCommand | undefined> {
  const entry = findEntry(argv);
  const spec = await entry?.load();
  const found: { parsed: ParsedCommand | undefined } = { parsed: undefined };
  const program = createProgram(output);
  for (const each of listNear(entry, argv)) {
    const command = addCommand(program, each, output);
    if (each !== entry || !spec) continue;
    addParts(command, spec);
    command.action((...given: unknown[]) => {
      const values = toValues(spec, given, command.opts());
      found.parsed = { entry: each, spec, values, global: command.optsWithGlobals() };
    });
  }
  await program.parseAsync([...argv], { from: 'user' });
  return found.parsed;
}

/** The commands that a command line may be about: making all of them takes 4 ms. */
function listNear(entry: CatalogEntry | undefined, [first = '']: readonly string[]): readonly CatalogEntry[] {
  return entry === undefined || first.startsWith('-') ? CATALOG : CATALOG.filter(({ words }) => words[0] === first);
}

function createProgram(output: ProgramOutput): Command {
  return configure(new Command('treadle'), output)
    .description('A site, an API and a platform for other people’s apps, from one set of JSON files.')
    .version(packageVersion, '-V, --version', 'prints the version')
    .option('--cwd <dir>', 'runs in this folder')
    .option('--json', 'prints one JSON document; everything else goes to standard error')
    .option('--yes', 'answers yes to every question, but never allows loss of data')
    .option('--no-interactive', 'never asks')
    .addHelpText(
      'after',
      '\nExamples:\n  $ treadle create my-blog\n  $ treadle schema create article --field title:text:required\n  $ treadle dev',
    )
    .helpCommand(false);
}

function configure(command: Command, { out, err }: ProgramOutput): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => out.write(text),
      writeErr: (text) => err.write(text),
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: true })
    .helpOption('-h, --help', 'shows this help');
}

function addCommand(program: Command, entry: CatalogEntry, output: ProgramOutput): Command {
  const [noun, verb] = entry.words;
  if (verb === undefined) return configure(program.command(noun), output).description(entry.summary).helpCommand(false);
  const known = program.commands.find((command) => command.name() === noun);
  const group =
    known ??
    configure(program.command(noun), output)
      .description(GROUPS[noun] ?? noun)
      .addHelpText('after', `\nOptions of one command:\n  $ treadle ${noun} ${verb} --help`)
      .helpCommand(false);
  return configure(group.command(verb), output).description(entry.summary);
}

function addParts(command: Command, spec: CommandSpec): void {
  for (const argument of spec.arguments ?? []) command.addArgument(toArgument(argument));
  for (const option of spec.options ?? []) command.addOption(toOption(option));
  if (spec.isWriting) command.option('--dry-run', 'shows what would be done, without doing it');
  command.addHelpText(
    'after',
    `\nExample${spec.examples.length > 1 ? 's' : ''}:\n${spec.examples.map((line) => `  $ ${line}`).join('\n')}`,
  );
}

// Optional for commander: a missing argument is asked for, or reported by our own error.
function toArgument(spec: ArgumentSpec): Argument {
  return new Argument(`[${spec.name}${spec.isRest ? '...' : ''}]`, toDescription(spec));
}

function toDescription(spec: ArgumentSpec | OptionSpec): string {
  const notes = [
    spec.choices?.join(', '),
    'isRequired' in spec && spec.isRequired ? 'required' : undefined,
    'isRepeated' in spec && spec.isRepeated ? 'repeatable' : undefined,
  ];
  const shown = notes.filter((note) => note !== undefined);
  const text = toPlain(spec.description);
  return shown.length === 0 ? text : `${text} (${shown.join('; ')})`;
}

function toOption(spec: OptionSpec): Option {
  const option = new Option(`--${spec.name}${spec.value === undefined ? '' : ` <${spec.value}>`}`, toDescription(spec));
  if (spec.isRepeated)
    option.argParser((value: string, before: unknown) => [...(Array.isArray(before) ? before : []), value]);
  if (spec.default !== undefined) option.default(spec.default);
  return option;
}

function toValues(spec: CommandSpec, given: readonly unknown[], options: Record<string, unknown>): Values {
  const values: Values = {};
  for (const [index, { name }] of (spec.arguments ?? []).entries()) {
    if (given[index] !== undefined) values[name] = given[index];
  }
  for (const option of spec.options ?? []) {
    const value = options[new Option(`--${option.name}`).attributeName()];
    if (value !== undefined) values[option.name.replace(/^no-/, '')] = value;
  }
  return values;
}
