import { translate } from '../../../../core/translate.ts';
import { escapeHtml, toPlain } from '../../../../model/format-text.ts';
import { toRowLabel } from '../row-label.ts';
import type { Row } from './cell.ts';
import type { ListColumn } from './columns.ts';
import type { OpenSchema } from './open.ts';

interface RowsInput {
  readonly open: OpenSchema;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly Row[];
  /** True if rows can be ticked. */
  readonly isBulk: boolean;
}

const toCell = (html: string, isNumber: boolean): string => `<td${isNumber ? ' class="t-number"' : ''}>${html}</td>`;

/** Stands for a row's label in a translated text: no text has it. */
const MARK = '\0';

/**
 * The HTML of a list's rows. It is put together here and not in the template, because it is most of the page: so a page
 * takes half the time. The first cell without a link of its own leads to the row.
 */
export function toRowsHtml({ open, columns, rows, isBulk }: RowsInput): string {
  const { schema, offer, context } = open;
  const now = context.services.clock.now();
  const { active, primary } = schema;
  const linked = offer.detail ? columns.findIndex(({ isPlain }) => isPlain) : -1;
  const edit = escapeHtml(translate('Edit'));
  // Translated once, and not for each row.
  const [before = '', after = ''] = escapeHtml(translate('Edit {row}', { row: MARK })).split(MARK);
  const toLink = (id: string, html: string): string => `<a href="detail/${id}">${html}</a>`;
  const toRow = (row: Row): string => {
    const id = escapeHtml(toPlain(row[primary]));
    const label = escapeHtml(toRowLabel(schema, row));
    const isRemoved = active !== undefined && row[active] !== undefined && Number(row[active]) === 0;
    let html = `<tr data-id="${id}"${isRemoved ? ' class="t-removed"' : ''}>`;
    if (isBulk) html += `<td><input type="checkbox" name="ids[]" value="${id}" aria-label="${label}"></td>`;
    html += toCell(offer.detail ? toLink(id, id) : id, true);
    for (const [index, column] of columns.entries()) {
      const cell = column.toCell(row, now);
      html += toCell(index === linked && cell !== '' ? toLink(id, cell) : cell, column.isNumber);
    }
    if (offer.update) {
      html += `<td><a href="update/${id}" aria-label="${before}${label}${after}">${edit}</a></td>`;
    }
    return `${html}</tr>\n`;
  };
  return rows.map(toRow).join('');
}
