import { createHash } from 'node:crypto';
import { systemRandom } from '../../core/clock.ts';
import { TreadleError } from '../../core/errors.ts';
import { findOwn } from '../../core/record.ts';
import { createToken } from '../../core/secret/secret.ts';
import type { Outbound, OutboundRequest, OutboundResponse } from '../../outbound/outbound.ts';
import { findFirstCall } from '../../page/first-call.ts';
import { quoteForShell, toCallCurl, toClassicCurl, toStandardCurl } from '../../page/trial-curl.ts';
import type { CallPlan } from '../../plan/feature.ts';

export const TRIAL_DOORS = ['standard', 'classic'] as const;
export type TrialDoor = (typeof TRIAL_DOORS)[number];

/** Input of a run of the flow. */
export interface Walk {
  readonly outbound: Outbound;
  /** URL of the running server, without a trailing slash. */
  readonly url: string;
  readonly door: TrialDoor;
  readonly clientId: string;
  /** Undefined for a public app. */
  readonly secret: string | undefined;
  readonly redirectUris: readonly string[];
  /** The session cookie of the user. */
  readonly cookie: string;
  readonly calls: readonly CallPlan[];
}

/** One request and its answer. */
export interface Step {
  readonly name: 'ask' | 'allow' | 'exchange' | 'call';
  readonly curl: string;
  readonly status: number;
  /** The answer's body, if it is JSON. */
  readonly body?: unknown;
  /** Target of the redirect. */
  readonly location?: string;
}

export interface TrialResult {
  readonly steps: readonly Step[];
  readonly code: string;
  readonly accessToken: string;
  readonly scopes: readonly string[];
}

/** The dialog is a page, so allow more than for JSON. */
const MAX_BYTES = 1_000_000;

async function send(walk: Walk, request: OutboundRequest): Promise<OutboundResponse> {
  try {
    // The user of the command chose this server, so private addresses are allowed.
    const policy = { allowPrivate: ['0.0.0.0/0', '::/0'], isLoopbackAllowed: true };
    return await walk.outbound.send({ ...request, maxBytes: MAX_BYTES }, policy);
  } catch (error) {
    throw new TreadleError('CLI_TRIAL_FAILED', `No server answers at ${walk.url}.`, {
      status: 502,
      hint: 'Start it: treadle dev. Or pass its URL: --url http://127.0.0.1:3000.',
      cause: error,
    });
  }
}

function refuse(message: string, hint?: string): never {
  throw new TreadleError('CLI_TRIAL_FAILED', message, { status: 502, ...(hint === undefined ? {} : { hint }) });
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'", '#x3D': '=' };
const decode = (text: string): string =>
  text.replace(/&(#?\w+);/g, (whole, name: string) => findOwn(ENTITIES, name) ?? whole);
const read = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(([, text = '']) => decode(text));

function toQuery(walk: Walk, verifier: string, state: string): string {
  const [first, second] = walk.redirectUris;
  const query = new URLSearchParams({
    ...(walk.door === 'standard' ? { response_type: 'code' } : {}),
    client_id: walk.clientId,
    ...(first !== undefined && second !== undefined ? { redirect_uri: first } : {}),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${walk.door === 'standard' ? '/oauth/authorize' : '/dialog/request'}?${query}`;
}

/** Opens the dialog as the user, and submits its form unchanged. */
async function allow(walk: Walk, path: string, steps: Step[]): Promise<string> {
  const url = walk.url + path;
  const headers = { cookie: walk.cookie };
  const dialog = await send(walk, { method: 'GET', url, headers });
  const { location } = dialog.headers;
  steps.push({
    name: 'ask',
    curl: `curl -b "$COOKIE" ${quoteForShell(url)}`,
    status: dialog.status,
    ...(location === undefined ? {} : { location }),
  });
  if (dialog.status === 303 && /^(?:\/[^?#]*)?\/auth\/login/.test(location ?? '')) {
    refuse(
      `The server at ${walk.url} does not know the session that this command created.`,
      'Does it use this project’s database?',
    );
  }
  // A remembered consent redirects at once; so does a refusal.
  if (dialog.status === 303 && location !== undefined) return location;
  if (dialog.status !== 200) {
    refuse(`The dialog answered ${dialog.status}: ${read(dialog.body, /<p>([^<]+)<\/p>/g)[0] ?? 'no reason given'}`);
  }
  const form = new URLSearchParams({
    csrf: read(dialog.body, /name="csrf" value="([^"]*)"/g)[0] ?? '',
    action: 'allow',
  });
  for (const slug of read(dialog.body, /name="permissions\[\]" value="([^"]*)"/g)) form.append('permissions[]', slug);
  const sent = { 'content-type': 'application/x-www-form-urlencoded' };
  const answer = await send(walk, { method: 'POST', url, headers: { ...headers, ...sent }, body: form.toString() });
  const to = answer.headers.location;
  const fields = [...form].map(
    ([name, value]) => `--data-urlencode ${quoteForShell(`${name}=${name === 'csrf' ? 'CSRF' : value}`)}`,
  );
  steps.push({
    name: 'allow',
    curl: [`curl -b "$COOKIE" ${quoteForShell(url)}`, ...fields].join(' \\\n  '),
    status: answer.status,
    ...(to === undefined ? {} : { location: to }),
  });
  if (answer.status !== 303 || to === undefined) refuse(`The consent form was answered with ${answer.status}.`);
  return to;
}

function readCode(location: string, state: string): string {
  const { searchParams } = new URL(location);
  const error = searchParams.get('error');
  if (error !== null)
    refuse(`The app was refused: ${error} (${searchParams.get('error_description') ?? 'no reason'}).`);
  if (searchParams.get('state') !== state) refuse('The state in the redirect differs from the one sent.');
  return searchParams.get('code') ?? refuse(`The redirect has no code: ${location}.`);
}

function parseBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return refuse('The answer is not JSON.');
  }
}

async function exchange(walk: Walk, code: string, verifier: string, steps: Step[]): Promise<Record<string, unknown>> {
  const { clientId, secret, url: baseUrl } = walk;
  const params = { baseUrl, clientId, secret, code, verifier };
  const fields = {
    client_id: clientId,
    ...(secret === undefined ? {} : { client_secret: secret }),
    code,
    code_verifier: verifier,
  };
  const isStandard = walk.door === 'standard';
  const form = new URLSearchParams({ grant_type: 'authorization_code', ...fields }).toString();
  const answer = await send(walk, {
    method: 'POST',
    url: isStandard ? `${baseUrl}/oauth/token` : `${baseUrl}/rest/access?${new URLSearchParams(fields)}`,
    ...(isStandard ? { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: form } : {}),
  });
  const body = parseBody(answer.body);
  const curl = isStandard ? toStandardCurl(params) : toClassicCurl(params);
  steps.push({ name: 'exchange', curl, status: answer.status, body });
  if (answer.status !== 200) refuse(`The exchange answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  return isStandard ? body : ((body.results ?? {}) as Record<string, unknown>);
}

async function call(walk: Walk, accessToken: string, scopes: readonly string[], steps: Step[]): Promise<void> {
  const found = findFirstCall(walk.calls, scopes);
  if (!found) return;
  const url = walk.url + found.path;
  const answer = await send(walk, { method: 'GET', url, headers: { authorization: `Bearer ${accessToken}` } });
  steps.push({
    name: 'call',
    curl: toCallCurl('GET', url, accessToken),
    status: answer.status,
    body: parseBody(answer.body),
  });
}

/**
 * Runs the authorization flow as an app and its user, over HTTP.
 *
 * @throws CLI_TRIAL_FAILED if a step has an unexpected answer.
 */
export async function walkFlow(walk: Walk): Promise<TrialResult> {
  const steps: Step[] = [];
  const verifier = createToken(systemRandom);
  const state = createToken(systemRandom, '', 16);
  const code = readCode(await allow(walk, toQuery(walk, verifier, state), steps), state);
  const tokens = await exchange(walk, code, verifier, steps);
  const accessToken = String(tokens.access_token);
  const granted = String(tokens.scope ?? '')
    .split(' ')
    .filter((slug) => slug !== '');
  // The classic answer lists no scopes: all ticked scopes are granted.
  const scopes = walk.door === 'standard' ? granted : walk.calls.flatMap((one) => one.scopes);
  await call(walk, accessToken, scopes, steps);
  return { steps, code, accessToken, scopes: granted };
}
