import { closePairs, type Pairs, putPair } from '../core/text/pairs.ts';
import { createUsageError } from './failure.ts';

/**
 * Reads values such as `title=Hello`. `a.b=1` and `a[b]=1` are nested, as in a query string; prototype names are left
 * out.
 * @throws CLI_USAGE
 */
export function parseStage(pairs: readonly string[]): Record<string, unknown> {
  const stage: Pairs = {};
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    if (at < 1) throw createUsageError(`"${pair}" is not key=value.`, 'Example: schema=article');
    const name = pair.slice(0, at).replace(/\.([^.[\]]+)/g, '[$1]');
    putPair(stage, name, pair.slice(at + 1));
  }
  return closePairs(stage);
}
