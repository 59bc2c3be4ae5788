import process from 'node:process';
import { type OwnVariables, VARIABLES } from './environment.ts';

/** Names that Treadle or Node reads by itself, besides {@link VARIABLES}: a value of `.env` would come too late, or change a command. */
const READ: ReadonlySet<string> = new Set([
  ...Object.keys(VARIABLES),
  'CI',
  'NODE_OPTIONS',
  'NO_COLOR',
  'TERM',
  'UV_THREADPOOL_SIZE',
]);
const PROVIDER_SECRET = /^AUTH_.*_SECRET$/;

/** Whether a variable is the project's own: Treadle does not read it. */
const isOwn = (name: string): boolean => !READ.has(name) && !PROVIDER_SECRET.test(name);

interface Layer {
  readonly value: string;
}

interface VariableSources {
  /** What the process has by itself. */
  readonly original: string | undefined;
  /** What loads of projects gave, the last one at the end. */
  readonly layers: Layer[];
}

/** The environment is one for all that runs in this process: what was given, by name. */
const given = new Map<string, VariableSources>();

function give(name: string, value: string): () => void {
  const known = given.get(name) ?? { original: process.env[name], layers: [] };
  const layer = { value };
  known.layers.push(layer);
  given.set(name, known);
  process.env[name] = value;
  return () => takeBack(name, known, layer);
}

/** What stood there before is there again. A value that the code has changed meanwhile stays. */
function takeBack(name: string, { original, layers }: VariableSources, layer: Layer): void {
  const isLast = layers.at(-1) === layer;
  layers.splice(layers.indexOf(layer), 1);
  if (layers.length === 0) given.delete(name);
  if (!isLast || process.env[name] !== layer.value) return;
  const before = layers.at(-1)?.value ?? original;
  if (before === undefined) delete process.env[name];
  else process.env[name] = before;
}

/**
 * Gives the project's code the variables of `.env` that Treadle does not read, as `process.env`. What the process has by itself
 * stays as it is.
 *
 * @returns Takes them back, once the code has ended.
 */
export function giveVariables({ file, env, isApart }: OwnVariables): () => void {
  const stated = env === process.env ? {} : env;
  const names = new Set([...Object.keys(file), ...(isApart ? Object.keys(stated) : [])]);
  const taken: (() => void)[] = [];
  for (const name of names) {
    const value = stated[name] ?? file[name];
    if (value === undefined || !isOwn(name)) continue;
    const hasItself = (given.has(name) ? given.get(name)?.original : process.env[name]) !== undefined;
    if (hasItself && !(isApart && stated[name] !== undefined)) continue;
    taken.push(give(name, value));
  }
  return () => {
    for (const take of taken.splice(0).reverse()) take();
  };
}
