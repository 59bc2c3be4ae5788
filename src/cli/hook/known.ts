import { TreadleError } from '../../core/errors.ts';
import { toDidYouMean } from '../../core/text/suggest.ts';
import type { Definitions } from '../../model/definitions.ts';
import type { HookModel } from '../../model/model.ts';
import type { Hook } from '../../model/shape.ts';
import { getDefinition } from '../change/definition.ts';
import { createUsageError } from '../failure.ts';
import type { Invocation } from '../spec.ts';

/** A web hook, of a file or of the project's code. */
export interface KnownHook {
  readonly definition: Hook;
  /** The file of the code that registers it; undefined where it is a definition. */
  readonly code: string | undefined;
}

/** The hooks that the project's code registers by `app.webhook`; undefined where the project cannot be compiled. */
export async function findCodeHooks(invocation: Invocation): Promise<readonly HookModel[] | undefined> {
  const { plan } = await invocation.compile(invocation.root());
  return plan?.hooks.filter((hook) => plan.model.hooks.get(hook.name) !== hook);
}

/** A hook by name; the code is loaded only where no file has it. @throws CLI_USAGE with a "did you mean" where there is none. */
export async function getHook(invocation: Invocation, definitions: Definitions, name: string): Promise<KnownHook> {
  const isFile = definitions.webhook.has(name) || definitions.broken.has(`webhook/${name}`);
  if (isFile) return { definition: getDefinition(definitions, 'webhook', name), code: undefined };
  const hooks = await findCodeHooks(invocation);
  const found = hooks?.find((hook) => hook.name === name);
  if (found) return { definition: found.definition, code: found.file };
  const names = [...definitions.webhook.keys(), ...(hooks ?? []).map((hook) => hook.name)];
  const more =
    hooks === undefined ? " Hooks in the project's code are unknown, because it does not load: treadle check" : '';
  throw createUsageError(`There is no web hook "${name}".`, `${toDidYouMean(name, names)}${more}`);
}

/**
 * What writes files knows the hooks of files: for one in the project's code, the answer names its place.
 *
 * @throws CLI_USAGE
 */
export async function refuseHookOfCode(invocation: Invocation, definitions: Definitions, name: string): Promise<void> {
  const { code } = await getHook(invocation, definitions, name);
  if (code !== undefined)
    throw createUsageError(`"${name}" is in the code: app.webhook in ${code}.`, 'Change it there.');
}

/**
 * A file's name that a hook of the project's code has already: both would be one hook to receivers and in the log. Code
 * that does not load keeps no file from being written; a failed look-up is reported.
 *
 * @throws CLI_DEFINITION_EXISTS
 */
export async function refuseCodeHook(invocation: Invocation, name: string): Promise<void> {
  const hooks = await findCodeHooks(invocation);
  if (hooks === undefined) {
    const what = `Whether the project's code registers a web hook "${name}" is unknown, because the project does not load.`;
    invocation.terminal.say(`${what} See: treadle check`);
    return;
  }
  const found = hooks.find((hook) => hook.name === name);
  if (!found) return;
  throw new TreadleError(
    'CLI_DEFINITION_EXISTS',
    `The web hook "${name}" already exists: app.webhook in ${found.file}.`,
    {
      status: 409,
      hint: 'Choose another name. Or remove it from the code first, to define it in a file.',
    },
  );
}
