import { toLocalText, translate } from '../../../core/text/translate.ts';
import { printPath } from '../../../model/json/json-text.ts';
import { findReferences } from '../../../model/removal/reference.ts';
import { toFile } from '../../../model/shape.ts';
import type { Exchange } from '../../../page/exchange.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { leaveSaved, showForm } from '../form.ts';
import { findOwner, type OwnerKind } from '../owner.ts';
import { emitOwner } from './emit.ts';
import { toListCrumb, toRoom } from './words.ts';

/** The page that removes a schema or a fieldset, with what refers to it. */
export const createRemoveStep =
  (kind: OwnerKind) =>
  async (context: Context, exchange: Exchange): Promise<void> => {
    const { request, response } = exchange;
    const name = String(request.getStage('name'));
    const { definitions } = await readProject(context.services.root);
    const found = findOwner(definitions, { kind, name, response });
    if (found === undefined) return;
    const isPost = request.isMethod('POST');
    const posted = (request.getPost() ?? {}) as Record<string, unknown>;
    const outcome = isPost
      ? (await emitOwner(context, exchange, `system-${kind}-remove`, { ...posted, name })).outcome
      : undefined;
    if (leaveSaved(exchange, outcome, `${toRoom(kind)}/search`)) return;
    const references = findReferences(definitions, { kind, name });
    await showForm(context, exchange, {
      title: translate('Remove {name}', { name: found.plural }),
      crumbs: [toListCrumb(kind), { label: toLocalText(found.plural), path: `${toRoom(kind)}/update/${name}` }],
      template: 'definition/remove',
      file: toFile(kind, name),
      base: toRoom(kind),
      outcome,
      data: {
        isSchema: kind === 'schema',
        name,
        back: `${toRoom(kind)}/update/${name}`,
        isCascade: posted.cascade === '1',
        references: references.map(({ file, line, path }) => ({ file, line, path: printPath(path) })),
      },
    });
  };
