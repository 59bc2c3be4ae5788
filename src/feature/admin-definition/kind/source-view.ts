import type { Row } from '../../../database/row-statement.ts';
import { toFile } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { renderSaves } from '../saves.ts';
import type { FormFacts, Kind } from './control.ts';
import { toBasePath } from './page.ts';
import { listReferences } from './refer.ts';

/** What every page of a definition has: its file's text, what refers to it, and its last changes. */
export async function readSourceView(
  context: Context,
  exchange: Exchange,
  { definitions }: FormFacts,
  { kind, name }: { readonly kind: Kind; readonly name: string },
): Promise<Row> {
  const file = toFile(kind, name);
  return {
    id: name,
    file,
    json: definitions[kind].get(name)?.text.trimEnd(),
    references: listReferences(definitions, kind, name),
    saves: await renderSaves(context, exchange, { base: toBasePath(kind), accepts: (each) => each === file }),
  };
}
