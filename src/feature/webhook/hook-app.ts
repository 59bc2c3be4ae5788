import { Request } from '../../core/request/request.ts';
import { Response } from '../../core/request/response.ts';
import type { Context } from '../../plan/feature.ts';

/** An app with a web hook address, as `webhook-app-search` returns it. */
export interface HookApp {
  readonly app_id: number;
  readonly client_id: string;
  /** Name of its definition file; null for an app registered in the browser. */
  readonly name: string | null;
  readonly title: string;
  readonly webhook: string | null;
  readonly hooks: readonly string[];
  /**
   * Members of `hooks` that wait for approval. Default none, for listeners of the project that leave it
   * out.
   */
  readonly pending?: readonly string[];
  readonly active: boolean;
  /** Whether its owner stopped it. */
  readonly stopped: boolean;
  /** Whether it is a public client, which cannot keep a secret. */
  readonly public: boolean;
  /** How often its secrets were renewed, from 1. */
  readonly secret_version: number;
}

/** Apps by owner (`auth_id`), id or client id; empty if the project has no apps. */
export async function findHookApps(
  context: Context,
  stage: { readonly owner?: unknown; readonly app_id?: unknown; readonly client_id?: unknown },
): Promise<readonly HookApp[]> {
  if (!context.plan.bus.hasListener('webhook-app-search')) return [];
  const given = Object.entries(stage).filter(([, value]) => value !== undefined);
  const request = new Request().setStage(Object.fromEntries(given));
  const response = new Response(request);
  await context.emit('webhook-app-search', request, response);
  if (response.isError()) throw new Error(`The apps could not be read: ${response.getMessage()}`);
  return (response.getResults('rows') as HookApp[] | undefined) ?? [];
}
