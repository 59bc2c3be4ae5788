import { toLocalText } from '../../../core/text/translate.ts';
import type { Definitions } from '../../../model/definitions.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import type { OwnerKind } from '../owner.ts';
import { renderSaves } from '../saves.ts';
import { listRemoved } from '../undo.ts';
import { findWriteRefusal } from '../write-right.ts';
import { toListTitle, toRoom } from './words.ts';

function toRows(definitions: Definitions, kind: OwnerKind) {
  return [...definitions[kind]].map(([name, { value }]) => ({
    name,
    singular: toLocalText(value.singular),
    plural: toLocalText(value.plural),
    fields: value.fields.length,
    relations: 'relations' in value ? (value.relations ?? []).map(({ schema, name: own }) => own ?? schema) : [],
  }));
}

/** The list of schemas or fieldsets, with those that were removed here. */
export const createSearchStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { services } = context;
    const { definitions } = await readProject(services.root);
    const base = toRoom(kind);
    const broken = [...definitions.broken].filter((each) => each.startsWith(`${kind}/`));
    const data = {
      base,
      isSchema: kind === 'schema',
      rows: toRows(definitions, kind),
      broken: broken.map((each) => `config/${each}.json`),
      removed: await listRemoved(context, kind),
      refusal: await findWriteRefusal(context),
      saves: await renderSaves(context, exchange, { base, accepts: (file) => file.startsWith(`config/${kind}/`) }),
    };
    showPage(context, exchange, {
      frame: 'admin',
      title: toListTitle(kind),
      template: 'admin/definition/search',
      data,
      actions: 'admin/definition/search-actions',
    });
  };
