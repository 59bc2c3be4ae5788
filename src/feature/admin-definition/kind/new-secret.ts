import { requireProof } from '../../../access/proof.ts';
import { translate } from '../../../core/text/translate.ts';
import { createClient } from '../../../edit/client.ts';
import { type App, type Hook, toFile } from '../../../model/shape.ts';
import { type Exchange, flash } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { type Outcome, proposeValues, readSubmission, submit } from '../submit.ts';
import { findApp, refreshRow, rotateRow, showApp } from './app-page.ts';
import { findNamed, readFacts, toPath } from './page.ts';
import { showHook } from './webhook-page.ts';

const SUBMISSION = readSubmission({});

/** Why an outcome wrote nothing, in one text. */
function toReason(outcome: Outcome): string {
  if (outcome.state === 'refused') return outcome.message;
  if (outcome.state === 'conflict')
    return translate('{file} changed on disk meanwhile. Try again.', { file: outcome.file });
  if (outcome.state !== 'invalid' && outcome.state !== 'broken') return translate('Nothing was saved.');
  return outcome.problems.map(({ message, hint }) => [message, hint].filter(Boolean).join(' ')).join(' ');
}

function refuse({ response }: Exchange, outcome: Outcome): void {
  response.setStatus(outcome.state === 'refused' ? 403 : 409).setError(true, toReason(outcome));
}

/** Gives an app a new client secret and shows it once: in its file, or in the row of a registered one. */
export async function postRefresh(context: Context, exchange: Exchange): Promise<void> {
  const app = await findApp(context, exchange, await readFacts(context));
  if (app === undefined) return;
  const { file } = app;
  if (file === undefined) return refreshRow(context, exchange, app);
  if (!requireProof(context, exchange, toPath('app', 'detail', file.name))) return;
  const client = createClient(context.services.random, false, file.value.clientId);
  const value: App = { ...file.value, ...client.keys };
  const outcome = await submit(context, {
    by: { ...exchange, home: toPath('app', 'detail', file.name) },
    submission: SUBMISSION,
    title: translate('New client secret of {file}', { file: toFile('app', file.name) }),
    propose: () => proposeValues(context, [{ kind: 'app', name: file.name, value }]),
  });
  if (outcome.state === 'unproven') return;
  if (outcome.state === 'saved')
    return showApp(context, exchange, { clientSecret: client.clientSecret, isOldGood: true });
  refuse(exchange, outcome);
  await showApp(context, exchange);
}

/** Gives all web hooks of an app new signing secrets. */
export async function postAppRotate(context: Context, exchange: Exchange): Promise<void> {
  const app = await findApp(context, exchange, await readFacts(context));
  if (app === undefined) return;
  const { file } = app;
  if (file === undefined) return rotateRow(context, exchange);
  const value: App = { ...file.value, secretVersion: (file.value.secretVersion ?? 1) + 1 };
  const outcome = await submit(context, {
    by: { ...exchange, home: toPath('app', 'detail', file.name) },
    submission: SUBMISSION,
    title: translate('New signing secrets of {file}', { file: toFile('app', file.name) }),
    propose: () => proposeValues(context, [{ kind: 'app', name: file.name, value }]),
  });
  if (outcome.state === 'unproven') return;
  if (outcome.state === 'saved') {
    flash(exchange, translate('The web hooks of the app have new secrets. For 24 hours both sign.'));
    exchange.response.setRedirect(toPath('app', 'detail', file.name));
    return;
  }
  refuse(exchange, outcome);
  await showApp(context, exchange);
}

/** Gives a web hook a new signing secret by raising its version. */
export async function postHookRotate(context: Context, exchange: Exchange): Promise<void> {
  const found = findNamed(context, exchange, await readFacts(context), 'webhook');
  if (found === undefined) return;
  const { name, value: before } = found;
  const value: Hook = { ...before, secretVersion: (before.secretVersion ?? 1) + 1 };
  const outcome = await submit(context, {
    by: { ...exchange, home: toPath('webhook', 'detail', name) },
    submission: SUBMISSION,
    title: translate('New signing secret of {file}', { file: toFile('webhook', name) }),
    propose: () => proposeValues(context, [{ kind: 'webhook', name, value }]),
  });
  if (outcome.state === 'unproven') return;
  if (outcome.state === 'saved') {
    flash(exchange, translate('The web hook has a new secret. For 24 hours each delivery has both signatures.'));
    exchange.response.setRedirect(`${toPath('webhook', 'detail', name)}#secret`);
    return;
  }
  refuse(exchange, outcome);
  await showHook(context, exchange);
}
