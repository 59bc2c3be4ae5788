import { toLocalText, translate } from '../../../core/text/translate.ts';
import { toSentence } from '../../../model/relation-sentence.ts';
import type { Exchange } from '../../../page/exchange.ts';
import { showPage } from '../../../page/frame.ts';
import type { Context } from '../../../plan/feature.ts';
import { readProject } from '../../../project/read.ts';
import { toListCrumb } from '../schema/words.ts';
import { layOut, toLineLabel } from './layout.ts';

/** Shows the whole model as a drawing, and its relations as sentences. */
export async function showDrawing(context: Context, exchange: Exchange): Promise<void> {
  const { services } = context;
  const { definitions } = await readProject(services.root);
  const { boxes, lines, ...size } = layOut(definitions);
  const labelOf = (name: string): string => toLocalText(definitions.schema.get(name)?.value.singular ?? name);
  const data = {
    ...size,
    boxes,
    lines: lines.map((line) => ({
      ...line,
      label: toLineLabel(line.relation),
      sentence: toSentence(labelOf(line.from), line.relation),
    })),
  };
  showPage(context, exchange, {
    frame: 'admin',
    title: translate('The whole model'),
    template: 'admin/definition/drawing',
    data,
    crumbs: [toListCrumb('schema')],
    scripts: ['definition-drawing'],
  });
}
