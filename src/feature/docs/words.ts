import { translate } from '../../core/translate.ts';

/** The texts of what the scripts of the docs add, as JSON; `{name}` is a place that the script fills. */
export const toDocsWords = (): string =>
  JSON.stringify({
    copy: translate('Copy'),
    copied: translate('Copied'),
    copyOf: translate('Copy {label}'),
    code: translate('the code'),
    language: translate('Language'),
    search: translate('Search'),
    searchDocs: translate('Search the docs'),
    found: translate('Pages found'),
    close: translate('Close'),
    broken: translate('The index could not be loaded.'),
    hint: translate('Names of calls, paths, columns, scopes, hooks. Arrows and Enter.'),
    nothing: translate('Nothing found. Fewer words may help.'),
    best: translate('The best {count} found.'),
    some: translate('{count} found.'),
    size: translate('{milliseconds} ms, {bytes} bytes'),
    headers: translate('{count} headers'),
    headersOf: translate('Headers of the answer'),
    bodyOf: translate('Body of the answer'),
    noBody: translate('(no body)'),
    first: translate('The first {count} characters are shown.'),
    required: translate('{name} is required.'),
    token: translate('A user call needs an access token.'),
    noJson: translate('The body is no JSON: {fault}'),
    offline: translate('The server cannot be reached.'),
    refused: translate('{server} cannot be reached, or does not allow this page’s origin.'),
  });
