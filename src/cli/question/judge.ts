import type { compileProject } from '../../boot.ts';
import type { Definitions } from '../../model/definitions.ts';
import { findPathError } from '../../model/link/calls.ts';
import { type DefinitionKind, toFile } from '../../model/shape.ts';
import { readDefinitions } from '../change/definition.ts';
import { findCodeHooks } from '../hook/known.ts';
import { findText, type Invocation, type Judge } from '../spec.ts';

/** A name that a definition, or a web hook of the project's code, has already. */
async function findTaken(
  invocation: Invocation,
  definitions: Definitions,
  kind: DefinitionKind,
  name: string,
): Promise<string | undefined> {
  if (definitions[kind].has(name) || definitions.broken.has(`${kind}/${name}`))
    return `${toFile(kind, name)} already exists.`;
  const hooks = kind === 'webhook' ? await findCodeHooks(invocation) : undefined;
  const found = hooks?.find((hook) => hook.name === name);
  return found && `The project's code has a web hook of that name, in ${found.file}.`;
}

/**
 * Judges the answers of a wizard that the text alone does not decide. The project is read and compiled at the first of them.
 *
 * @param argument The argument with the new name.
 */
export function createJudges(
  kind: DefinitionKind,
  argument: string,
  invocation: Invocation,
): Readonly<Record<string, Judge>> {
  let read: Promise<Definitions> | undefined;
  const definitions = (): Promise<Definitions> => {
    read ??= readDefinitions(invocation);
    return read;
  };
  const taken: Readonly<Record<string, Judge>> = {
    [argument]: async (name) => findTaken(invocation, await definitions(), kind, name),
  };
  if (kind !== 'rest' && kind !== 'webhook') return taken;
  let compiled: ReturnType<typeof compileProject> | undefined;
  const event: Judge = async (text) => {
    const [boot, { findEventError: findEventFault }] = await Promise.all([
      import('../../boot.ts'),
      import('../../check/missing-listener.ts'),
    ]);
    compiled ??= boot.compileProject(invocation.root(), invocation.env);
    const { plan } = await compiled;
    return plan && findEventFault(text, kind, plan);
  };
  if (kind === 'webhook') return { ...taken, event };
  const path: Judge = async (text, values) =>
    findPathError(await definitions(), text.replace(/^\/rest(?=\/)/, ''), findText(values, 'method'));
  return { ...taken, event, path };
}
