import type { Context, EventExchange } from '../feature.ts';

/** Sets the results of a change, and runs what commits with it. An event of the kind `self` calls it inside its write, as the last step. */
export async function commitResults(
  context: Context,
  { event, request, response }: EventExchange,
  results: Readonly<Record<string, unknown>>,
): Promise<undefined> {
  response.succeed(results);
  await context.committing(event, request, response);
}
