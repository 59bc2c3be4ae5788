import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PatchOperation, readMessage, TreadleError } from '../../../core/errors.ts';
import { isObject, toObject } from '../../../core/record.ts';
import { toDiff } from '../../../edit/diff.ts';
import { writeEdited } from '../../../edit/write.ts';
import { applyPatch } from '../../../model/json/json-patch.ts';
import { printChanged } from '../../../model/json/json-schema.ts';
import { parseJsonText } from '../../../model/json/json-text.ts';
import { DEFINITION_KINDS, type FileKind } from '../../../model/shape.ts';
import type { Invocation } from '../../spec.ts';
import { runForJson } from '../command-run.ts';
import { omit } from '../omit.ts';
import { createInputError, readText, readTexts, type Tool, type ToolInput } from '../tool.ts';
import { checkChangeCommand } from './change-command.ts';

/** A change that was worked out, and not yet made. */
interface Proposal {
  /** What the answer shows of it: the files with their differences. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** Paths of the files, from the project's root. */
  readonly files: readonly string[];
  readonly apply: () => Promise<unknown>;
}

/** The user and the password of an address, which a line of the settings may have. */
const CREDENTIALS = /:\/\/[^/\s"@]+@/g;

/** The difference of two texts, whole. */
function printDiff(before: string | undefined, after: string): string {
  const lines =
    before === undefined
      ? after
          .trimEnd()
          .split('\n')
          .map((line) => `  + ${line}`)
      : toDiff(before, after, Number.POSITIVE_INFINITY);
  return lines.join('\n').replace(CREDENTIALS, '://…@');
}

function readFile(root: string, file: string): string | undefined {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** A file of a command's dry run, with the difference in place of the whole text. */
function toShownFile(root: string, given: unknown): Readonly<Record<string, unknown>> {
  const { text, ...file } = toObject(given);
  if (typeof text !== 'string' || typeof file.file !== 'string') return file;
  return { ...file, diff: printDiff(readFile(root, file.file), text) };
}

async function proposeCommand(invocation: Invocation, words: readonly string[]): Promise<Proposal> {
  checkChangeCommand(words);
  const data = toObject(await runForJson(invocation, [...words, '--dry-run']));
  const root = invocation.root();
  const files = (Array.isArray(data.files) ? data.files : []).map((file) => toShownFile(root, file));
  return {
    shown: { ...omit(data, ['isDryRun']), files },
    files: files.flatMap(({ file, from }) => [file, from].filter((path) => typeof path === 'string')),
    apply: async () => omit(toObject(await runForJson(invocation, words)), ['isDryRun']),
  };
}

/** The kind of a definition's file. @throws MCP_INPUT_INVALID for any other file. */
function readKind(file: string): FileKind {
  if (file === 'config/settings.json') return 'settings';
  const [, folder] = /^config\/([a-z]+)\/[A-Za-z0-9][A-Za-z0-9_-]*\.json$/.exec(file) ?? [];
  const kind = DEFINITION_KINDS.find((each) => each === folder && each !== 'app');
  if (kind !== undefined) return kind;
  throw createInputError(
    `"${file}" is no file that this tool changes.`,
    'Name config/settings.json or config/<schema|fieldset|rest|scope|webhook|role>/<name>.json. Code and pages are files that you edit yourself.',
  );
}

function patchText(kind: FileKind, before: string | undefined, patch: readonly PatchOperation[]): string {
  try {
    // A file that is not JSON can only be replaced whole.
    const document = before === undefined ? undefined : parseJsonText(before).value;
    if (before === undefined && patch[0]?.path !== '') throw new RangeError('there is no such file');
    const value = applyPatch(document, patch);
    if (!isObject(value) || Array.isArray(value)) throw new RangeError('a definition is an object');
    return printChanged(kind, value, before);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw createInputError(
      `The patch cannot be applied: ${readMessage(error)}.`,
      'Read the file again with describe. A new file, or one that is not JSON, takes {"op": "add", "path": "", "value": {…}}.',
    );
  }
}

async function proposePatch(invocation: Invocation, file: string, patch: readonly PatchOperation[]): Promise<Proposal> {
  const kind = readKind(file);
  const root = invocation.root();
  const before = readFile(root, file);
  const text = patchText(kind, before, patch);
  const write = (isDryRun: boolean): Promise<void> =>
    writeEdited({ root: () => root, env: invocation.env, command: 'mcp', isDryRun, compile: invocation.compile }, [
      { file, text },
    ]);
  await write(true);
  const change = before === undefined ? 'created' : before === text ? 'unchanged' : 'changed';
  return {
    shown: { files: [{ file, change, diff: printDiff(before, text) }] },
    files: [file],
    apply: async () => {
      await write(false);
      return { files: [{ file, change }] };
    },
  };
}

function propose(input: ToolInput, invocation: Invocation): Promise<Proposal> {
  const [words, file, patch] = [readTexts(input, 'command'), readText(input, 'file'), input.patch];
  if (words !== undefined && file === undefined && patch === undefined) return proposeCommand(invocation, words);
  if (words === undefined && file !== undefined && Array.isArray(patch)) return proposePatch(invocation, file, patch);
  throw createInputError('Give either "command", or "file" and "patch".');
}

/** A change is the same if it was asked for in the same words, shows the same, and its files are as they were. */
function toToken({ command, file, patch }: ToolInput, { shown, files }: Proposal, root: string): string {
  const texts = files.map((path) => [path, readFile(root, path) ?? null]);
  const seen = JSON.stringify([command, file, patch, shown, texts]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 22);
}

export const change: Tool = {
  name: 'change',
  description:
    'Changes definitions, by a command (`["field","add","article","rank:number:sortable"]`; see describe kind command) or by a JSON patch of one file in config/ (a `fix` of check, or any). First call: a dry run that returns the diff and a token. Then the same inputs with apply and token write it.',
  inputSchema: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, description: 'words and flags, without "treadle"' },
      file: { type: 'string', description: 'config/<kind>/<name>.json' },
      patch: { type: 'array', items: { type: 'object' }, description: 'RFC 6902; a new file: add at ""' },
      apply: { type: 'boolean' },
      token: { type: 'string', description: 'of the dry run' },
    },
  },
  isReadOnly: false,
  async run(input, invocation) {
    const proposal = await propose(input, invocation);
    const token = toToken(input, proposal, invocation.root());
    if (input.apply !== true)
      return { applied: false, ...proposal.shown, token, next: 'Same inputs with "apply": true and this token.' };
    if (input.token !== token) {
      const message =
        input.token === undefined
          ? 'Nothing was changed: a change is applied only after its dry run.'
          : 'Nothing was changed: the files or the inputs differ from those of the dry run.';
      throw new TreadleError('MCP_TOKEN_DIFFERS', message, {
        status: 409,
        hint: 'Call change without "apply", read the diff, and send its token.',
      });
    }
    return { applied: true, ...toObject(await proposal.apply()), next: ['check', 'migrate'] };
  },
};
