import type { Model } from '../../../model/model.ts';
import { listProviders, type ProviderModel } from '../../../model/provider.ts';
import { createRoute, type Exchange } from '../../../page/exchange.ts';
import type { Context, RouteContribution } from '../../../plan/feature.ts';
import { asksForFiles } from '../account/signup-fields.ts';
import { openCallback } from './callback.ts';
import { openComplete, openConnect, postComplete, postConnect, postUnlink } from './forms.ts';
import { start, startLink } from './start.ts';

const PATH = '/auth/provider/:provider';

type ProviderStep = (context: Context, exchange: Exchange, provider: ProviderModel) => Promise<void>;

/** A route of one provider; an unknown name is not found. */
const route = (method: 'GET' | 'POST', path: string, description: string, step: ProviderStep): RouteContribution =>
  createRoute(method, path, description, async (context, exchange) => {
    const name = String(exchange.request.getParameters('provider'));
    const provider = listProviders(context.plan.model.settings).get(name);
    if (provider) await step(context, exchange, provider);
  });

const startPosted: ProviderStep = (context, exchange, provider) =>
  exchange.request.getPost('action') === 'link'
    ? startLink(context, exchange, provider)
    : start(context, exchange, provider);

/** Routes of sign-in providers; none without providers in the settings. */
export function listProviderRoutes(model: Model): readonly RouteContribution[] {
  if (listProviders(model.settings).size === 0) return [];
  return [
    route('GET', PATH, 'Goes to a sign-in provider.', start),
    route('POST', PATH, 'Goes to a sign-in provider, or links it to the account of the session.', startPosted),
    route('GET', `${PATH}/callback`, 'The address that the provider sends the user back to.', openCallback),
    route('GET', `${PATH}/complete`, 'The form for what a new account needs besides.', openComplete),
    {
      ...route('POST', `${PATH}/complete`, 'Creates the account of a user of a provider.', postComplete),
      takesFiles: asksForFiles(model),
    },
    route(
      'GET',
      `${PATH}/connect`,
      'The form that asks for the password of the account with the same e-mail.',
      openConnect,
    ),
    route('POST', `${PATH}/connect`, 'Connects the provider to the account with the same e-mail.', postConnect),
    createRoute(
      'POST',
      '/auth/provider-unlink',
      'Removes the link of the account to a user of a provider.',
      postUnlink,
    ),
  ];
}
