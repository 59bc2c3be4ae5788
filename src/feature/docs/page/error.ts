import { STATUS_CODES } from 'node:http';
import { type ErrorEntry, readErrorCatalog } from '../../../core/error-catalog.ts';
import { currentLocaleTag, toLocalText, translate } from '../../../core/text/translate.ts';
import { listRuleFacts } from '../error/rules.ts';
import type { Source } from '../source.ts';
import { type DocPage, type PageData, print } from './page.ts';

/** A code that callers of HTTP meet. */
type MetEntry = ErrorEntry & { readonly status: number };

const isMet = (entry: ErrorEntry): entry is MetEntry => entry.status !== undefined;

/** A part of a text: plain, or a piece of code that stands in backticks. */
const toParts = (text: string): PageData[] =>
  text
    .split('`')
    .map((part, index) => ({ text: part, isCode: index % 2 === 1 }))
    .filter(({ text: part }) => part !== '');

/** The language of the texts about codes, where the page has another one. */
const findLanguage = (): string | undefined => (currentLocaleTag() === 'en' ? undefined : 'en');

const toFirstSentence = (text: string): string => (/^.+?\.(?= |$)/.exec(text)?.[0] ?? text).replaceAll('`', '');

/** Places that are typical of a code, for its example. */
const SAMPLES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  VALIDATION_FAILED: {
    pointer: '/comment_detail',
    rule: 'char_lte',
    detail: 'Comment must have at most 10 characters',
    params: { max: 10 },
  },
  VALUE_TAKEN: { pointer: '/article_slug', rule: 'taken', detail: 'Slug is already taken' },
  KEY_UNKNOWN: {
    pointer: '/comment_detial',
    rule: 'unknown',
    detail: '"comment_detial" is not a column of comment. Did you mean "comment_detail"?',
    suggestion: 'comment_detail',
  },
  SEARCH_INVALID: {
    parameter: 'filter[product_pric]',
    rule: 'unknown',
    detail: '"product_pric" is not a column of product. Did you mean "product_price"?',
    suggestion: 'product_price',
  },
  IF_MATCH_MISSING: { header: 'If-Match', rule: 'header' },
  ROW_CHANGED: { header: 'If-Match', rule: 'header' },
  ROW_UNCHANGED: { header: 'If-None-Match', rule: 'header' },
  ACCEPT_EXCLUDES_JSON: { header: 'Accept', rule: 'header' },
  BODY_TYPE_REFUSED: { header: 'Content-Type', rule: 'header' },
  IDEMPOTENCY_KEY_INVALID: { header: 'Idempotency-Key', rule: 'header' },
  IDEMPOTENCY_KEY_REUSED: { header: 'Idempotency-Key', rule: 'header' },
  IDEMPOTENCY_KEY_RUNNING: { header: 'Idempotency-Key', rule: 'header' },
};

/** What an answer with the code looks like. */
function toExample({ code, status, meaning }: MetEntry, { baseUrl }: Source): PageData {
  const address = `${baseUrl}/developer/docs/errors/${code}`;
  const { [code]: sample } = SAMPLES;
  const detail =
    code === 'ROW_MISSING' ? 'Article 12 does not exist.' : String(sample?.detail ?? toFirstSentence(meaning));
  const key = sample?.pointer === undefined ? sample?.parameter : String(sample.pointer).slice(1);
  return {
    type: address,
    title: STATUS_CODES[status],
    status,
    detail,
    code,
    docs: address,
    error: true,
    message: detail,
    validation: key === undefined ? {} : { [String(key)]: detail },
    ...(sample === undefined ? {} : { errors: [{ ...sample, detail }] }),
  };
}

function buildErrorPage(entry: MetEntry, source: Source): DocPage {
  const { code, status, meaning, remedy = '' } = entry;
  return {
    path: `errors/${code}`,
    kind: 'errors',
    title: code,
    note: String(status),
    template: 'error',
    // What a code means has the words of many questions that other pages answer.
    words: `${status} ${code.replaceAll('_', ' ').toLowerCase()}`,
    data: (links) => ({
      code,
      status,
      title: toLocalText(STATUS_CODES[status] ?? ''),
      language: findLanguage(),
      meaning: toParts(meaning),
      remedy: toParts(remedy),
      example: print(toExample(entry, source)),
      rules: `${links.page('errors')}#rules`,
      guide: links.page('guide/errors'),
    }),
  };
}

function buildErrorList(entries: readonly MetEntry[]): DocPage {
  return {
    path: 'errors',
    kind: 'errors',
    title: translate('Error codes'),
    template: 'errors',
    words: `error codes problem type rule ${listRuleFacts()
      .map(({ name }) => name)
      .join(' ')}`,
    data: (links) => ({
      guide: links.page('guide/errors'),
      language: findLanguage(),
      codes: entries.map(({ code, status, meaning }) => ({
        code,
        status,
        href: links.page(`errors/${code}`),
        meaning: toParts(meaning),
      })),
      rules: listRuleFacts().map(({ name, description, params }) => ({
        name,
        description: toParts(description),
        params,
      })),
    }),
  };
}

/** The list of the codes that callers of HTTP meet, and a page for each. */
export function listErrorPages(source: Source): DocPage[] {
  const entries = [...readErrorCatalog().values()].filter(isMet);
  return [buildErrorList(entries), ...entries.map((entry) => buildErrorPage(entry, source))];
}
