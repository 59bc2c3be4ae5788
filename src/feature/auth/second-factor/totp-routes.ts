import { requireProof } from '../../../access/proof.ts';
import { toSeconds } from '../../../core/clock.ts';
import { createRoute, type Exchange, leadTo, requireMe } from '../../../page/exchange.ts';
import type { Context, RouteContribution, Services } from '../../../plan/feature.ts';
import { fillStage, SECOND_FACTOR, showAccountPage } from '../page.ts';
import { type AuthRow, findAuth } from '../sql.ts';
import { findTarget, showCodes } from './pages.ts';
import { toQrPath } from './qr.ts';
import { createSeed, toTotpUri } from './totp.ts';

const PATH = `${SECOND_FACTOR}/totp`;
/** Seconds that a seed of the page may be confirmed. */
const SEED_SECONDS = 1800;

interface Offer {
  readonly authId: number;
  readonly seed: string;
  /** Unix seconds. */
  readonly until: number;
}

/** The seed travels in the form, sealed for its account: opening the page stores nothing. */
function sealOffer({ secret, clock }: Services, authId: number, seed: string): string {
  const offer: Offer = { authId, seed, until: toSeconds(clock.now()) + SEED_SECONDS };
  return secret.seal(JSON.stringify(offer));
}

function openOffer({ secret, clock }: Services, authId: number, sealed: unknown): string | undefined {
  if (typeof sealed !== 'string' || sealed === '') return undefined;
  try {
    const offer = JSON.parse(secret.open(sealed)) as Offer;
    return offer.authId === authId && offer.until > toSeconds(clock.now()) ? offer.seed : undefined;
  } catch {
    return undefined;
  }
}

/** Groups of four letters, so that people can type the seed. */
const toGroups = (seed: string): string => seed.match(/.{1,4}/g)?.join(' ') ?? seed;

async function showForm(context: Context, exchange: Exchange, auth: AuthRow, known?: string): Promise<void> {
  const { services, plan } = context;
  const seed = known ?? createSeed(services.random);
  const uri = toTotpUri(seed, plan.model.settings.name, auth.auth_slug);
  const data = {
    qr: toQrPath(uri),
    uri,
    seed: toGroups(seed),
    offer: sealOffer(services, auth.auth_id, seed),
    isReplacing: auth.auth_second_factor.split(',').includes('totp'),
    target: findTarget(exchange),
  };
  await showAccountPage(context, exchange, { name: 'second-factor-totp', title: 'Authenticator app', data });
}

/** The account of the session after a fresh proof. */
async function requireAccount(context: Context, exchange: Exchange): Promise<AuthRow | undefined> {
  const me = requireMe(exchange, PATH);
  if (me === undefined || !requireProof(context, exchange)) return undefined;
  return findAuth(context.services.database, 'auth_id', me);
}

async function open(context: Context, exchange: Exchange): Promise<void> {
  const auth = await requireAccount(context, exchange);
  if (auth) await showForm(context, exchange, auth);
}

async function post(context: Context, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const auth = await requireAccount(context, exchange);
  if (!auth) return;
  const seed = openOffer(context.services, auth.auth_id, request.getPost('offer'));
  if (seed === undefined) {
    response.refuse({ status: 422, message: 'This page is too old. Scan the new code below.' });
    return showForm(context, exchange, auth);
  }
  fillStage(request, ['auth_code'], { auth_id: auth.auth_id, secret: seed });
  await context.emit('auth-totp-create', request, response);
  if (response.isError()) return showForm(context, exchange, auth, seed);
  const codes = response.getResults('recovery_codes') as string[] | undefined;
  if (codes) return showCodes(context, exchange, codes, 'The authenticator app is your second factor from now on.');
  const target = findTarget(exchange);
  leadTo(exchange, target === '' ? SECOND_FACTOR : target, 'The new authenticator app takes the place of the old one.');
}

export const totpRoutes: readonly RouteContribution[] = [
  createRoute('GET', PATH, 'The QR code for an authenticator app.', open),
  createRoute(
    'POST',
    PATH,
    'Adds the authenticator app, and shows recovery codes once if it is the first factor.',
    post,
  ),
];
