import { toSeconds } from '../core/clock.ts';
import { toObject } from '../core/record.ts';
import type { Request } from '../core/request/request.ts';
import type { Response } from '../core/request/response.ts';
import { toLocalPath } from '../core/text/local-path.ts';
import type { Proofs } from './ask.ts';

/** The page that asks for the password or a second factor again, and leads back. */
export const CONFIRM = '/auth/confirm';
/** Seconds that a proof is good for. */
const PROOF_SECONDS = 600;
/** Seconds that a form waits for the proof. */
const WORK_SECONDS = 3600;
/** Longest stored form, as JSON, unless the page allows more. */
const WORK_MOST = 65_536;
/** Forms of one session that wait at the same time, such as one for each tab of a browser. */
const WORKS = 4;

/** A form that waits for a proof. */
export interface Work {
  /** Path of the route that it was posted to. */
  readonly path: string;
  /** Query of that path, without `?`. */
  readonly query: string;
  readonly post: Readonly<Record<string, unknown>>;
}

interface SealedWork extends Work {
  readonly authId: unknown;
  /** Unix seconds. */
  readonly until: number;
}

/** The sealed forms that wait, by the page that each leads back to. The last one was kept last. */
type Works = Readonly<Record<string, string>>;

const findMe = (request: Request): unknown => request.getSession('me', 'auth_id');

/** Notes in the session that the user has just proven who they are: by a password, a second factor or a provider. */
export function markProven({ clock }: Pick<Proofs, 'clock'>, request: Request, authId: number): void {
  request.setSession('proof', { auth_id: authId, at: toSeconds(clock.now()) });
}

/** Whether the logged-in user proved who they are in this session a few minutes ago. */
export function isProven({ clock }: Pick<Proofs, 'clock'>, request: Request): boolean {
  const me = findMe(request);
  const at = request.getSession('proof', 'at');
  if (me === undefined || request.getSession('proof', 'auth_id') !== me || typeof at !== 'number') return false;
  const age = toSeconds(clock.now()) - at;
  return age >= 0 && age < PROOF_SECONDS;
}

function readWorks(request: Request): Works {
  const works = Object.entries(toObject(request.getSession('work')));
  return Object.fromEntries(works.map(([key, sealed]) => [key, String(sealed)]));
}

function writeWorks(request: Request, works: readonly (readonly [string, string])[]): void {
  if (works.length === 0) request.removeSession('work');
  else request.setSession('work', Object.fromEntries(works.slice(-WORKS)));
}

const without = (works: Works, target: string) => Object.entries(works).filter(([key]) => key !== target);

/** The form that leads back to a page; without a page, the one that was kept last. */
function findWork(request: Request, target: string | undefined): readonly [string, string] | undefined {
  const works = Object.entries(readWorks(request));
  return target === undefined ? works.at(-1) : works.find(([key]) => key === target);
}

/** Keeps a form in the session, sealed: it may hold a new password. Files are not kept. */
function keepWork(
  { clock, secret }: Proofs,
  request: Request,
  { target, most }: { readonly target: string; readonly most: number },
): void {
  const until = toSeconds(clock.now()) + WORK_SECONDS;
  const post = toObject(request.getPost());
  const [path, query] = [request.getPath('string'), request.getQuery()];
  const kept: SealedWork = { path, query, post, authId: findMe(request), until };
  const text = JSON.stringify(kept);
  const others = without(readWorks(request), target);
  writeWorks(request, text.length <= most ? [...others, [target, secret.seal(text)]] : others);
}

/**
 * Takes the form that waits in the session.
 *
 * @param target The page that it leads back to. Undefined: the form that was kept last.
 * @returns `late` if it waited too long, or is of another account; undefined if no form waits.
 */
export function takeWork(
  { clock, secret }: Proofs,
  request: Request,
  target: string | undefined,
): Work | 'late' | undefined {
  const [key, sealed] = findWork(request, target) ?? [];
  if (key === undefined || sealed === undefined) return undefined;
  writeWorks(request, without(readWorks(request), key));
  const { path, query, post, authId, until }: SealedWork = JSON.parse(secret.open(sealed));
  return authId === findMe(request) && until > toSeconds(clock.now()) ? { path, query, post } : 'late';
}

/** Whether a form waits in the session that leads back to this page. Without a page: any form. */
export const hasWork = (request: Request, target: string | undefined): boolean =>
  findWork(request, target) !== undefined;

/**
 * Asks a logged-in user for the password or a second factor again, before a secret is shown or changed, unless they gave it
 * in the last ten minutes. A form waits in the session, and is sent once the user has given it.
 *
 * @param home Page to lead back to if the form cannot be kept. Default: its own path.
 * @param most Longest form that is kept, as JSON. Default: 64 KiB.
 * @returns false if the request must stop; the response then leads to the page that asks.
 */
export function requireProof(
  { services }: { readonly services: Proofs },
  { request, response }: { readonly request: Request; readonly response: Response },
  home?: string,
  most = WORK_MOST,
): boolean {
  if (isProven(services, request)) return true;
  const query = request.getQuery();
  const here = `${request.getPath('string')}${query === '' ? '' : `?${query}`}`;
  // As the page that asks reads it again.
  const target = toLocalPath(home ?? here, '/');
  if (request.isMethod('POST')) keepWork(services, request, { target, most });
  else writeWorks(request, without(readWorks(request), target));
  response.setRedirect(`${CONFIRM}?redirect_uri=${encodeURIComponent(target)}`);
  return false;
}
