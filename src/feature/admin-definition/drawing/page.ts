import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toSentence } from '../../../model/relation-sentence.ts';
import type { Pair } from '../../../page/exchange.ts';
import { showInAdmin } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toListCrumb } from '../schema/words.ts';
import { layOut, toLineLabel } from './layout.ts';

/** Shows the whole model as a drawing, and its relations as sentences. */
export async function showDrawing(context: Context, pair: Pair): Promise<void> {
  const { services } = context;
  const { definitions } = await readProject(services.root);
  const { boxes, lines, ...size } = layOut(definitions);
  const labelOf = (name: string): string => toLocalText(definitions.schema.get(name)?.value.singular ?? name);
  const body = services.views.render('admin', 'definition/drawing', {
    ...size,
    boxes,
    lines: lines.map((line) => ({
      ...line,
      label: toLineLabel(line.relation),
      sentence: toSentence(labelOf(line.from), line.relation),
    })),
  });
  showInAdmin(context, pair, {
    title: translate('The whole model'),
    body,
    crumbs: [toListCrumb('schema')],
    scripts: ['definition-drawing'],
  });
}
